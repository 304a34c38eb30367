import type { ErrorRow, HttpError } from "../voice.ts"

const contentType = ["content-type", "application/json"] as const

/**
 * An HTTP error in the fault server's dialect of chat and Responses.
 *
 * **Source** fault-server.md, sections 1.1 and 1.2
 *
 * @since 0.1.0
 * @category errors
 */
export const mockError = ({ status, message, mock, headers = [] }: ErrorRow, requestId: string | null): HttpError => ({
  status,
  headers: [contentType, ...headers, ...(requestId === null ? [] : [["x-request-id", requestId] as const])],
  body: JSON.stringify({ error: { message, type: mock.type, code: mock.code } })
})

/**
 * An HTTP error in the fault server's dialect of Messages.
 *
 * **Source** fault-server.md, section 9.4.4
 *
 * @since 0.1.0
 * @category errors
 */
export const mockMessagesError = (
  { message, messages, headers = [] }: ErrorRow,
  requestId: string | null
): HttpError => {
  const error = { type: messages.type, message: messages.message ?? message }
  if (requestId === null) {
    return {
      status: messages.status,
      headers: [contentType, ...headers],
      body: JSON.stringify({ type: "error", error })
    }
  }
  return {
    status: messages.status,
    headers: [contentType, ...headers, ["x-request-id", requestId], ["request-id", requestId]],
    body: JSON.stringify({ type: "error", error, request_id: requestId })
  }
}
