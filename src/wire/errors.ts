import type { InferenceEndpoint } from "../domain/endpoint.ts"
import type { JsonObject } from "./json.ts"

/**
 * What an HTTP error says. Whatever is absent has the default of its status; `details` is for Messages only, `code` and
 * `param` for the other two APIs, `requestId` for Messages.
 *
 * @since 0.1.0
 * @category models
 */
export interface ErrorDetail {
  readonly message: string
  readonly type?: string
  readonly code?: string | null
  readonly param?: string | null
  readonly requestId?: string | null
  readonly details?: JsonObject
}

/**
 * The body of an HTTP error in the shape of the endpoint's API.
 *
 * **Source** wire-formats.md, section 2D
 *
 * @since 0.1.0
 * @category errors
 */
export const errorBody = (endpoint: InferenceEndpoint, status: number, detail: ErrorDetail): JsonObject =>
  endpoint === "Messages" ? anthropicBody(status, detail) : openAiBody(status, detail)

interface OpenAiDefault {
  readonly type: string
  readonly code: string | null
}

const openAiDefaults: ReadonlyMap<number, OpenAiDefault> = new Map([
  [400, { type: "invalid_request_error", code: null }],
  [401, { type: "invalid_request_error", code: "invalid_api_key" }],
  [403, { type: "request_forbidden", code: "unsupported_country_region_territory" }],
  [404, { type: "invalid_request_error", code: "model_not_found" }],
  [422, { type: "invalid_request_error", code: null }],
  [429, { type: "requests", code: "rate_limit_exceeded" }],
  [500, { type: "server_error", code: null }],
  [503, { type: "service_unavailable", code: null }]
])

const anthropicTypes: ReadonlyMap<number, string> = new Map([
  [400, "invalid_request_error"],
  [401, "authentication_error"],
  [402, "billing_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [409, "conflict_error"],
  [413, "request_too_large"],
  [429, "rate_limit_error"],
  [500, "api_error"],
  [503, "api_error"],
  [504, "timeout_error"],
  [529, "overloaded_error"]
])

const openAiBody = (status: number, detail: ErrorDetail): JsonObject => {
  const defaults = openAiDefaults.get(status) ?? {
    type: status >= 500 ? "server_error" : "invalid_request_error",
    code: null
  }
  return {
    error: {
      message: detail.message,
      type: detail.type ?? defaults.type,
      param: detail.param ?? null,
      code: detail.code === undefined ? defaults.code : detail.code
    }
  }
}

const anthropicBody = (status: number, detail: ErrorDetail): JsonObject => ({
  type: "error",
  error: {
    type: detail.type ?? anthropicTypes.get(status) ?? (status >= 500 ? "api_error" : "invalid_request_error"),
    message: detail.message,
    ...(detail.details === undefined ? {} : { details: detail.details })
  },
  request_id: detail.requestId ?? null
})
