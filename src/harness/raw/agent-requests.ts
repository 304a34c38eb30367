import { type BoundedList, makeBoundedList } from "../../domain/bounded-list.ts"
import { heldBytes } from "../../domain/held-bytes.ts"
import { keptBytesMax, keptEntriesMax } from "../../domain/raw-limits.ts"
import type { LineContent, RpcError } from "../../wire/acp/line-content.ts"
import { errorLine, resultLine } from "../../wire/acp/write-line.ts"

/** A request that the agent made. */
export interface RawAgentRequest {
  /** The id as it was written. */
  readonly idToken: string
  /** `null` when it is no string. */
  readonly method: string | null
  readonly params: unknown
}

/** What a request is answered with; `leave` sends nothing, `refuse` error -32601. */
export type RawAnswer =
  | "refuse"
  | "leave"
  | { readonly result: unknown }
  | { readonly error: Pick<RpcError, "code" | "message"> & { readonly data?: unknown } }

/** An answer, or what finds one. What it throws is answered with error -32603. */
export type RawAnswerer = RawAnswer | ((request: RawAgentRequest) => RawAnswer)

/** How requests of the agent are answered. */
export interface RawAnswers {
  /** By method. */
  readonly answers?: Readonly<Record<string, RawAnswerer>>
  /** What all others are answered with. Default `refuse`. */
  readonly otherwise?: RawAnswerer
}

/**
 * Answers requests of the agent, each once, with its id as it was written.
 *
 * **Source** agent-harness.md, sections 3.3 and 3.6
 */
export interface AgentRequests {
  /** The line that answers a request; `null` where it is left to the caller. */
  answer(request: Extract<LineContent, { readonly kind: "request" }>): string | null
  readonly refused: Pick<BoundedList<RawAgentRequest>, "items">
}

const unsupported: RpcError = { code: -32_601, message: "unsupported by raw test client", data: undefined }

/** @since 0.1.0 @category constructors */
export const makeAgentRequests = ({ answers = {}, otherwise = "refuse" }: RawAnswers): AgentRequests => {
  const refused = makeBoundedList<RawAgentRequest>({ entriesMax: keptEntriesMax, bytesMax: keptBytesMax })
  const answererFor = (method: string | null): RawAnswerer => {
    const own = method !== null && Object.hasOwn(answers, method) ? answers[method] : undefined
    return own ?? otherwise
  }
  return {
    refused,
    answer({ idToken, method, params }) {
      const request = { idToken, method, params }
      const answer = found(answererFor(method), request)
      if (answer === "leave") return null
      if (answer === "refuse") {
        refused.push(request, heldBytes(request))
        return errorLine(idToken, unsupported)
      }
      if ("result" in answer) return resultLine(idToken, answer.result)
      const { code, message, data } = answer.error
      return errorLine(idToken, { code, message, data })
    }
  }
}

const found = (answerer: RawAnswerer, request: RawAgentRequest): RawAnswer => {
  if (typeof answerer !== "function") return answerer
  try {
    return answerer(request)
  } catch (error) {
    return { error: { code: -32_603, message: error instanceof Error ? error.message : String(error) } }
  }
}
