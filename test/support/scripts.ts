import { ScriptedResponse, SseEvent } from "../../src/index.ts"

/** A stream of these payloads, one event each. */
export const stream = (...data: ReadonlyArray<string>): ScriptedResponse =>
  ScriptedResponse.sse(data.map((text) => SseEvent.data(text)))

/** One script of every kind of body, by a name for test titles. */
export const scriptKinds: ReadonlyArray<readonly [name: string, script: () => ScriptedResponse]> = [
  ["a stream of two events", () => stream("first", "last")],
  ["a stream of no events", () => stream()],
  ["JSON", () => ScriptedResponse.json(200, { ok: true })],
  ["raw text", () => ScriptedResponse.text(200, "raw text")]
]
