import type { InferenceEndpoint } from "../../../domain/endpoint.ts"
import { errorBody } from "../../../wire/errors.ts"
import type { ErrorRow, HttpError } from "../voice.ts"

/**
 * An HTTP error in the envelope of the provider. Both spellings of the request id are sent, so that either client finds
 * its own.
 *
 * **Source** wire-formats.md, sections 1.7 and 2D
 *
 * @since 0.1.0
 * @category errors
 */
export const providerError =
  (endpoint: InferenceEndpoint) =>
  (row: ErrorRow, requestId: string | null): HttpError => {
    const { status, detail } =
      endpoint === "Messages"
        ? { status: row.messages.status, detail: { type: row.messages.type, requestId, message: row.messages.message } }
        : { status: row.status, detail: { ...row.provider, message: undefined } }
    return {
      status,
      headers: [
        ["content-type", "application/json"],
        ...(row.headers ?? []),
        ...(requestId === null ? [] : idHeaders(requestId))
      ],
      body: JSON.stringify(errorBody(endpoint, status, { ...detail, message: detail.message ?? row.message }))
    }
  }

const idHeaders = (requestId: string) =>
  [
    ["x-request-id", requestId],
    ["request-id", requestId]
  ] as const
