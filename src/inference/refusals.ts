import type { InferenceEndpoint, WireProfile } from "../domain/endpoint.ts"
import { firstHeader, type RequestHead } from "../domain/request.ts"
import { ScriptedResponse } from "../domain/scripted-response.ts"
import { errorBody } from "../wire/errors.ts"

/** What is said when a required key is missing or wrong. */
const missingKey = "missing API key; set the x-api-key header or Authorization: Bearer header"

/**
 * The answers to requests that never reach a handler.
 *
 * **Source** inference-server.md, sections 1.1 and 1.3, and the table of profiles
 *
 * @since 0.1.0
 * @category errors
 */
export const refusals = {
  unknownPath: (head: RequestHead, path: string, profile: WireProfile): ScriptedResponse =>
    profile === "compact"
      ? ScriptedResponse.empty(404)
      : apiError(
          suggestedApi(head, path),
          404,
          `no route for ${head.method} ${path}; the inference paths are POST /v1/chat/completions, /v1/responses and /v1/messages`,
          null
        ),
  wrongMethod: (methods: ReadonlyArray<string>): ScriptedResponse =>
    ScriptedResponse.empty(405, [["allow", methods.join(",")]]),
  upgrade: (): ScriptedResponse => ({
    ...ScriptedResponse.text(426, "this server answers over HTTP/1.1 only; send the request without an upgrade"),
    headers: [
      ["connection", "upgrade"],
      ["upgrade", "HTTP/1.1"]
    ]
  }),
  notJson: (): ScriptedResponse => ScriptedResponse.text(415, "Expected request with `Content-Type: application/json`"),
  tooLarge: (bytesMax: number): ScriptedResponse =>
    ScriptedResponse.text(413, `Failed to buffer the request body: length limit of ${bytesMax} bytes exceeded`),
  badJson: (reason: string): ScriptedResponse =>
    ScriptedResponse.text(400, `Failed to parse the request body as JSON: ${reason}`),
  stumbled: (error: unknown): ScriptedResponse => ({
    ...ScriptedResponse.text(500, `the mock server failed: ${error instanceof Error ? error.message : String(error)}`),
    headers: [["x-should-retry", "false"]]
  }),
  unexpected: (endpoint: InferenceEndpoint, miss: string): ScriptedResponse => ({
    ...apiError(endpoint, 400, `nothing is scripted for this request: ${miss}`),
    headers: [["x-should-retry", "false"]]
  }),
  badSegment: (): ScriptedResponse =>
    ScriptedResponse.text(400, "Invalid URL: the session id is not valid UTF-8 after percent-decoding"),
  /** `miss`: why it would have been unexpected with a key as well. */
  unauthorized: (
    endpoint: InferenceEndpoint | null,
    profile: WireProfile,
    miss: string | null = null
  ): ScriptedResponse => {
    const why = miss === null ? missingKey : `${missingKey}; besides, nothing is scripted for this request: ${miss}`
    return profile === "compact"
      ? ScriptedResponse.json(401, { error: why })
      : apiError(endpoint ?? "ChatCompletions", 401, why)
  }
} as const

/** An error in the shape of an API. */
export const apiError = (
  endpoint: InferenceEndpoint,
  status: number,
  message: string,
  code?: string | null
): ScriptedResponse =>
  ScriptedResponse.json(status, errorBody(endpoint, status, code === undefined ? { message } : { message, code }))

/** Which API's error shape a request would understand, judged by its path and headers. */
export const suggestedApi = ({ headers }: RequestHead, path: string): InferenceEndpoint => {
  if (path.includes("/messages")) return "Messages"
  if (path.includes("/responses")) return "Responses"
  const isAnthropic = ["anthropic-version", "x-api-key"].some((name) => firstHeader(headers, name) !== undefined)
  return isAnthropic ? "Messages" : "ChatCompletions"
}
