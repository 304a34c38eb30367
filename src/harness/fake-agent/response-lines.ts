import type { RpcError } from "../../wire/acp/line-content.ts"
import { errorLine, resultLine } from "../../wire/acp/write-line.ts"
import type { ResponseFaults } from "./script.ts"

/** What a request is answered with. */
export type Answer =
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "error"; readonly error: RpcError }

/**
 * The lines that a response becomes.
 *
 * **Takes** the id as the request had it
 *
 * @since 0.1.0
 * @category encoding
 */
export const responseLines = (idToken: string, answer: Answer, faults: ResponseFaults): ReadonlyArray<string> => {
  const id = tokenAs(idToken, faults.idAs)
  const line = faults.broken === null ? goodLine(id, answer) : brokenLine(id, answer, faults.broken)
  const extra = (at: "before" | "after"): ReadonlyArray<string> =>
    faults.extraLines.filter((one) => one.at === at).map(({ text }) => text)
  return [...extra("before"), line, ...(faults.duplicate ? [line] : []), ...extra("after")]
}

const goodLine = (id: string, answer: Answer): string =>
  answer.kind === "result" ? resultLine(id, answer.result) : errorLine(id, answer.error)

const brokenLine = (id: string, answer: Answer, broken: "both" | "neither"): string => {
  if (broken === "neither") return `{"jsonrpc":"2.0","id":${id}}`
  const result = answer.kind === "result" ? answer.result : null
  const error = answer.kind === "error" ? answer.error : { code: -32603, message: "a response with both" }
  return `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result) ?? "null"},"error":${JSON.stringify(error)}}`
}

/** An id that has no such form stays what it is. */
const tokenAs = (token: string, form: ResponseFaults["idAs"]): string => {
  const isText = token.startsWith('"')
  if (form === "null") return "null"
  if (form === "lower") return isText ? JSON.stringify(String(JSON.parse(token)).toLowerCase()) : token
  if (form === "string") return isText ? token : JSON.stringify(token)
  if (form === "number") return isText && /^"-?(?:0|[1-9]\d*)"$/.test(token) ? token.slice(1, -1) : token
  return token
}
