import { createHash } from "node:crypto"
import { isRecord } from "../../src/domain/json.ts"
import type { SseEvent } from "../../src/domain/sse-event.ts"
import type { JsonObject } from "../../src/wire/json.ts"
import { encodeEvents } from "../../src/wire/sse-frame.ts"

/** What a golden pins: the number of frames, of bytes, and the digest. */
export const measured = (events: ReadonlyArray<SseEvent>) => {
  const bytes = Buffer.from(encodeEvents(events), "utf8")
  return { frames: events.length, bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") }
}

/** The JSON payloads of the events, without `[DONE]`. */
export const payloadsOf = (events: ReadonlyArray<SseEvent>): ReadonlyArray<JsonObject> =>
  events.filter(({ data }) => data !== "[DONE]").map(({ data }) => parsed(data))

const parsed = (text: string): JsonObject => {
  const value: unknown = JSON.parse(text)
  if (!isRecord(value)) throw new Error(`not a JSON object: ${text}`)
  return value
}

/** The value under a path of keys, `undefined` where the path ends early. */
export const valueAt = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>((inner, key) => {
    if (Array.isArray(inner)) return inner[Number(key)]
    return isRecord(inner) ? inner[key] : undefined
  }, value)

/** The strings under a path in each payload, joined. */
export const joinedAt = (payloads: ReadonlyArray<unknown>, ...path: ReadonlyArray<string | number>): string =>
  payloads
    .map((payload) => valueAt(payload, ...path))
    .filter((piece) => typeof piece === "string")
    .join("")

export const typesOf = (payloads: ReadonlyArray<JsonObject>): ReadonlyArray<unknown> =>
  payloads.map((payload) => payload["type"])

/** Payloads of one `type`. */
export const ofType = (payloads: ReadonlyArray<JsonObject>, type: string): ReadonlyArray<JsonObject> =>
  payloads.filter((payload) => payload["type"] === type)

/** The deltas of all `choices[0]` that have one, in order. */
export const chatDeltas = (payloads: ReadonlyArray<JsonObject>): ReadonlyArray<unknown> =>
  payloads.map((payload) => valueAt(payload, "choices", 0, "delta")).filter((delta) => delta !== undefined)

/** The `finish_reason` values that are not null. */
export const finishReasons = (payloads: ReadonlyArray<JsonObject>): ReadonlyArray<unknown> =>
  payloads
    .map((payload) => valueAt(payload, "choices", 0, "finish_reason"))
    .filter((reason) => typeof reason === "string")
