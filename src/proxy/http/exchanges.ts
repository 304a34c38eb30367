import { makeFifo } from "../../domain/fifo.ts"
import type { RequestStart } from "../../wire/http/message-head.ts"

/** What the head of a request says about its answer. */
export interface AskedFor {
  readonly method: string
  readonly version: RequestStart["version"]
  /** Whether the answer may say that what follows is HTTP no more. */
  readonly isTunnelWanted: boolean
}

/** More requests than anybody sends before the first is answered. */
const waitingMax = 10_000

/** What both directions of a connection know of its requests. */
export interface Exchanges {
  /** A request has been read. Gives whether there was room to keep it. */
  asked(request: AskedFor): boolean
  /** The request that a response answers; one to a GET, where none is known. */
  oldest(): AskedFor
  /** It has been answered, and what follows is HTTP or not. */
  answered(answer: { readonly isTunnel: boolean }): void
  /** No answer will come any more: what waits for one goes on as it is. */
  over(): void
  isTunnel(): boolean
  /** Whether what follows the last request is known only with its answer. */
  isOpen(): boolean
}

const unknown: AskedFor = { method: "GET", version: "1.1", isTunnelWanted: false }

/**
 * **Takes** `decided`: called when `isOpen` holds no more
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeExchanges = (decided: () => void): Exchanges => {
  const waiting = makeFifo<AskedFor>()
  let isTunnel = false
  const isOpen = (): boolean =>
    !isTunnel && waiting.size() > 0 && waiting.at(waiting.size() - 1)?.isTunnelWanted === true
  const decide = (act: () => void): void => {
    const wasOpen = isOpen()
    act()
    if (wasOpen && !isOpen()) decided()
  }
  return {
    asked(request) {
      if (waiting.size() >= waitingMax) return false
      waiting.push(request)
      return true
    },
    oldest: () => waiting.peek() ?? unknown,
    answered: (answer) =>
      decide(() => {
        waiting.shift()
        isTunnel ||= answer.isTunnel
      }),
    over: () =>
      decide(() => {
        isTunnel ||= isOpen()
      }),
    isTunnel: () => isTunnel,
    isOpen
  }
}
