import type { InferenceEndpoint } from "../../src/domain/endpoint.ts"
import { isRecord, member } from "../../src/domain/json.ts"
import { readEvents } from "../../src/wire/sse-reader.ts"

/** The payloads of a stream that are JSON objects, in order. */
export const payloads = (stream: string): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  readEvents(stream)
    .filter(({ data }) => data !== "[DONE]")
    .map(({ data }): unknown => JSON.parse(data))
    .filter(isRecord)

/** The value under a path of keys and positions. */
export const at = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof key === "number" ? (Array.isArray(inner) ? inner[key] : undefined) : member(inner, key)),
    value
  )

const joined = (parts: ReadonlyArray<unknown>): string => parts.filter((part) => typeof part === "string").join("")

/** The concatenated `choices[0].delta.content`. */
export const chatText = (stream: string): string =>
  joined(payloads(stream).map((payload) => at(payload, "choices", 0, "delta", "content")))

/** The concatenated `delta` of `response.output_text.delta`. */
export const responsesText = (stream: string): string =>
  joined(
    payloads(stream)
      .filter(({ type }) => type === "response.output_text.delta")
      .map(({ delta }) => delta)
  )

/** The concatenated `delta.text` of `content_block_delta`. */
export const messagesText = (stream: string): string =>
  joined(
    payloads(stream)
      .filter(({ type }) => type === "content_block_delta")
      .map((payload) => at(payload, "delta", "text"))
  )

/** What the model said, in the stream of any API. */
export const textOf: Readonly<Record<InferenceEndpoint, (stream: string) => string>> = {
  ChatCompletions: chatText,
  Responses: responsesText,
  Messages: messagesText
}
