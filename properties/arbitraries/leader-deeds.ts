import fc from "fast-check"
import type { JsonObject } from "../../src/wire/json.ts"

/** What a frame of a leader means to a client, as the one who made it knows. */
export type FrameMeaning =
  | { readonly kind: "registered"; readonly isReady: boolean }
  | { readonly kind: "acp"; readonly payload: string }
  | { readonly kind: "shutting down"; readonly reason: string }
  | { readonly kind: "answer"; readonly isOurs: boolean }
  | { readonly kind: "ready" | "error" | "shutdown" | "pong" | "unknown" | "broken" | "too long" }

/** One frame: a message, the text of a body that is none, or the length of one that is too long. */
export interface LeaderFrame {
  readonly content: JsonObject | string | number
  readonly means: FrameMeaning
}

/** Frames that a leader sends in one piece, so long after the piece before; the first so long after a register. */
export interface LeaderDeed {
  readonly afterMs: number
  readonly frames: ReadonlyArray<LeaderFrame>
}

/** All that a leader does, and where its pieces are cut. In the end it stalls, or closes, in the middle of a frame or not. */
export interface LeaderScene {
  readonly deeds: ReadonlyArray<LeaderDeed>
  readonly tailBytes: number
  readonly closes: boolean
  readonly choices: ReadonlyArray<number>
}

/** Members that nobody knows, or that mean something elsewhere. */
const extra = fc.constantFrom<JsonObject>({}, { more: 1 }, { reply: { type: "shutdown" }, __proto__: null })

const said = (content: fc.Arbitrary<JsonObject>, means: FrameMeaning): fc.Arbitrary<LeaderFrame> =>
  fc.tuple(content, extra).map(([message, more]) => ({ content: { ...more, ...message }, means }))

const registeredAs = (ready: JsonObject, isReady: boolean): fc.Arbitrary<LeaderFrame> =>
  said(
    fc.constant({
      type: "registered",
      client_id: 1,
      leader_protocol_version: 1,
      leader_capabilities: { control_v1: true, profile_formats: ["x"] },
      ...ready
    }),
    { kind: "registered", isReady }
  )

const registered = fc.oneof(
  registeredAs({}, true),
  registeredAs({ ready: true }, true),
  registeredAs({ ready: false }, false)
)

const acp = fc
  .string({ maxLength: 9 })
  .chain((payload) => said(fc.constant({ type: "acp", payload }), { kind: "acp", payload }))

const leaving = fc
  .constantFrom("auto_update", "idle_timeout", "manual", "boredom")
  .chain((reason) =>
    said(fc.constantFrom({ type: "shutting_down", reason, delay_ms: 5 }), { kind: "shutting down", reason })
  )

const answer = fc.boolean().chain((isOurs) => {
  const request_id = isOurs ? "control-1" : "control-7"
  return said(fc.constant({ type: "control_result", request_id, result: { Ok: "yes" } }), { kind: "answer", isOurs })
})

/** What is not a message, though most of it is nearly one. */
const brokenContent = fc.constantFrom<JsonObject | string>(
  "this is not json",
  "",
  "[]",
  "7",
  "null",
  '{"type":"pong"',
  {},
  { type: 7 },
  { type: "acp" },
  { type: "acp", payload: {} },
  { type: "registered" },
  { type: "registered", client_id: 1, ready: "no" },
  { type: "error", message: "no code" },
  { type: "shutting_down" },
  { type: "control_result", request_id: "control-1", result: { Neither: 1 } },
  { type: "control_result", request_id: 1, result: { Ok: 1 } }
)

const usual: ReadonlyArray<readonly [weight: number, frame: fc.Arbitrary<LeaderFrame>]> = [
  [5, acp],
  [3, answer],
  [2, said(fc.constant({ type: "leader_ready" }), { kind: "ready" })],
  [2, said(fc.constant({ type: "pong" }), { kind: "pong" })],
  [2, said(fc.constantFrom({ type: "weather" }, { type: "toString" }, { type: "" }), { kind: "unknown" })],
  [2, said(fc.constant({ type: "error", code: 2, message: "already registered" }), { kind: "error" })],
  [1, leaving],
  [1, registered],
  [1, said(fc.constant({ type: "shutdown" }), { kind: "shutdown" })],
  [1, brokenContent.map((content): LeaderFrame => ({ content, means: { kind: "broken" } }))],
  [
    1,
    fc.constantFrom(67_108_865, 0xffff_ffff).map((content): LeaderFrame => ({ content, means: { kind: "too long" } }))
  ]
]

const frame = fc.oneof(...usual.map(([weight, arbitrary]) => ({ weight, arbitrary })))

/** No sum of a few of them is the bound of a wait. */
const afterMs = fc.constantFrom(1, 50, 3_001, 9_007, 29_003, 70_011)

/** Most scenes begin with what a leader begins with. */
export const leaderScenes: fc.Arbitrary<LeaderScene> = fc.record({
  deeds: fc
    .tuple(
      fc.oneof({ weight: 6, arbitrary: fc.tuple(registered) }, { weight: 1, arbitrary: fc.constant([]) }),
      fc.array(frame, { maxLength: 2 }),
      fc.constantFrom(1, 50, 9_007),
      fc.array(fc.record({ afterMs, frames: fc.array(frame, { minLength: 1, maxLength: 3 }) }), { maxLength: 6 })
    )
    .map(([begin, more, first, rest]) => [{ afterMs: first, frames: [...begin, ...more] }, ...rest]),
  tailBytes: fc.constantFrom(0, 0, 1, 3, 4, 9),
  closes: fc.boolean(),
  choices: fc.array(fc.nat(6), { maxLength: 40, size: "max" })
})
