import { errorOf } from "./catalogue/answers.ts"
import type { FaultAnswer, FaultContext } from "./catalogue/behavior.ts"
import type { ErrorRow, FaultFormat } from "./catalogue/voice.ts"
import type { Rejection } from "./gates.ts"

/** The header by which tools tell a failure of the mock from a fault that was asked for. */
export const mockErrorHeader = "x-mock-error"

/** The script has no entry left. */
export const exhaustedRow: ErrorRow = {
  status: 500,
  message: "mock script exhausted",
  mock: { type: "mock_error", code: "MOCK_SCRIPT_EXHAUSTED" },
  messages: { status: 500, type: "api_error" }
}

/** An error of the mock itself, after acceptance. */
export const mockError = (context: FaultContext, row: ErrorRow, markErrors: boolean): FaultAnswer =>
  errorOf(context, { ...row, headers: marks(context.voice.format, row.mock.code, markErrors) })

/** What the server says when it stumbles over a request itself. */
export const handlerFailed = { message: "mock server handler failed", code: "MOCK_HANDLER_FAILED" } as const

/** Failures are always marked in the formats that came later, in chat only when asked for. */
const marks = (format: FaultFormat | null, code: string, markErrors: boolean) =>
  format === "chat" || format === null
    ? markErrors
      ? [[mockErrorHeader, code] as const]
      : []
    : [[mockErrorHeader, code] as const]

/**
 * The answer to a request that failed a gate: an empty body, or an error without type and request id.
 *
 * **Source** fault-server.md, sections 3.2 and 9.4.4
 *
 * @since 0.1.0
 * @category errors
 */
export const gateAnswer = (
  { status, headers, error }: Omit<Rejection, "reason">,
  { format, markErrors }: { readonly format: FaultFormat | null; readonly markErrors: boolean }
): FaultAnswer => {
  const type = error === null ? [] : [["content-type", "application/json"] as const]
  const marked = error === null ? [] : marks(format, error.code, markErrors)
  const body = error === null ? "" : JSON.stringify(envelope(format, status, error))
  return {
    head: { status, headers: [...type, ...headers, ...marked] },
    headDelayMs: 0,
    steps: body === "" ? [] : [{ kind: "bytes", bytes: body, events: 0 }],
    semanticEnd: null,
    ending: "end"
  }
}

const envelope = (format: FaultFormat | null, status: number, error: NonNullable<Rejection["error"]>): unknown => {
  if (format !== "messages") return { error }
  const type = status === 401 ? "authentication_error" : status >= 500 ? "api_error" : "invalid_request_error"
  return { type: "error", error: { type, message: error.message } }
}
