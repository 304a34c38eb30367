import type { RpcOutcome } from "../../wire/acp/line-content.ts"
import { notificationLine, requestLine } from "../../wire/acp/write-line.ts"

/** What the client said to a request of the agent. */
export type ClientSaid = RpcOutcome

/**
 * The requests of an agent to its client.
 *
 * @since 0.1.0
 * @category services
 */
export interface ClientAsks {
  /** Asks, under an own id or the one that is given as it is to be written. */
  ask(
    asked: { readonly method: string; readonly params: unknown; readonly id: string | null },
    answered: (said: ClientSaid) => void
  ): void
  /** A response came. One that answers nothing is ignored. */
  answer(id: unknown, said: ClientSaid): void
}

interface Pending {
  readonly id: unknown
  readonly answered: (said: ClientSaid) => void
}

/** @since 0.1.0 @category constructors */
export const makeClientAsks = (write: (line: string) => void): ClientAsks => {
  const pending = new Set<Pending>()
  let asks = 0
  return {
    ask({ method, params, id }, answered) {
      const token = id ?? String(++asks)
      const one: Pending = { id: JSON.parse(token), answered }
      pending.add(one)
      const line = id === null ? requestLine(asks, method, params) : withId(token, notificationLine(method, params))
      write(line)
    },
    answer(id, said) {
      // Of two requests under one id the older one is answered first.
      const found = [...pending].find((one) => one.id === id)
      if (found === undefined) return
      pending.delete(found)
      found.answered(said)
    }
  }
}

/** An id exactly as it is written here. */
const withId = (token: string, line: string): string => line.replace(",", `,"id":${token.replaceAll("$", "$$$$")},`)
