import { endpointPaths, type InferenceEndpoint } from "../../src/domain/endpoint.ts"
import type { Header } from "../../src/domain/request.ts"
import type { VirtualRequest } from "../../src/sim.ts"

/** A JSON object under construction. */
export type Json = Readonly<Record<string, unknown>>

/** What a test changes in a request; a header or member that is `null` is left out. */
export interface RequestEdits {
  readonly headers?: Readonly<Record<string, string | null>>
  readonly body?: Json
}

/** POST with a JSON body; text is sent as it is. */
export const jsonRequest = (target: string, body: unknown, headers: ReadonlyArray<Header> = []): VirtualRequest => ({
  method: "POST",
  target,
  headers: [["content-type", "application/json"], ...headers],
  body: typeof body === "string" ? body : JSON.stringify(body)
})

/** A turn of an agent's main loop: both headers, one user message, two tools. */
export const foregroundRequest = (
  endpoint: InferenceEndpoint,
  id: string,
  text: string,
  edits: RequestEdits = {}
): VirtualRequest =>
  jsonRequest(
    endpointPaths[endpoint],
    without({ ...userBody(endpoint, text), tools: toolsOf(endpoint, 2), ...edits.body }),
    headerList({ "x-grok-req-id": id, "x-grok-turn-idx": "1", ...edits.headers })
  )

/** A side call: the same on chat completions without headers and tools. */
export const auxiliaryRequest = (text: string, edits: RequestEdits = {}): VirtualRequest =>
  jsonRequest(
    endpointPaths.ChatCompletions,
    without({ ...userBody("ChatCompletions", text), ...edits.body }),
    headerList(edits.headers ?? {})
  )

/** A body with one user message, in the form of its API. */
export const userBody = (endpoint: InferenceEndpoint, text: string): Json =>
  endpoint === "Responses"
    ? { model: "test-model", input: [{ type: "message", role: "user", content: [{ type: "input_text", text }] }] }
    : { model: "test-model", messages: [{ role: "user", content: text }] }

const toolNames = ["read_file", "write", "search"]

/** The first tools of a list of three, in the form of the API. */
export const toolsOf = (endpoint: InferenceEndpoint, count: number): ReadonlyArray<Json> =>
  toolNames.slice(0, count).map((name) => {
    const schema = { type: "object", properties: {} }
    if (endpoint === "ChatCompletions") return { type: "function", function: { name, parameters: schema } }
    return endpoint === "Responses" ? { type: "function", name, parameters: schema } : { name, input_schema: schema }
  })

const headerList = (headers: Readonly<Record<string, string | null>>): ReadonlyArray<Header> =>
  Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))

const without = (body: Json): Json => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
