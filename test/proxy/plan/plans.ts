import fc from "fast-check"
import { type Arrival, arrival } from "./deliver.ts"

/** Frames that arrive one after another, some at once; some are JSON-RPC messages. */
export const arrivals: fc.Arbitrary<ReadonlyArray<Arrival>> = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.uint8Array({ maxLength: 6 }),
        fc
          .constantFrom("session/update", "session/prompt")
          .map((method) => JSON.stringify({ method, params: { n: 1 } }))
      ),
      fc.nat(20)
    ),
    { minLength: 1, maxLength: 8 }
  )
  .map((frames) => {
    let atMs = 0
    return frames.map(([body, gapMs]) => {
      atMs += gapMs
      return arrival(body, atMs)
    })
  })

const index = fc.nat(6)
const some = fc.integer({ min: 1, max: 40 })

/** The plan with one direction and four faults, as JSON; faults often meet at a frame. */
export const shortPlans = fc.record(
  {
    dropFrame: fc.nat(4),
    severMidFrame: fc.oneof(fc.nat(4), fc.record({ frame: fc.nat(4), afterBytes: fc.nat(12) })),
    delay: fc.record({ frame: fc.nat(4), ms: fc.nat(300) }),
    duplicateFrame: fc.nat(4)
  },
  { requiredKeys: [] }
)

const conditions: ReadonlyArray<fc.Arbitrary<Readonly<Record<string, unknown>>>> = [
  fc.record({ index }),
  fc.record({ range: fc.oneof(index, fc.record({ from: index })) }),
  fc.record({
    every: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.record({ step: some, first: index.map((n) => n + 1) }))
  }),
  fc.record({ byteOffset: fc.nat(60) }),
  fc.record({ method: fc.constantFrom("session/update", "session/prompt") }),
  fc.constant({ where: { "/params/n": 1 } }),
  fc.record({ probability: fc.constantFrom(0, 0.25, 0.5, 0.9, 1) })
]

/** One condition or two, as more of them are met by no frame. */
const match = fc.oneof(
  fc.oneof(...conditions),
  fc.tuple(fc.oneof(...conditions), fc.oneof(...conditions)).map(([one, other]) => ({ ...one, ...other }))
)

const action = fc.oneof(
  fc.constantFrom("drop", "sever", "corrupt", "reorder", "duplicate", "stall"),
  fc.record({ type: fc.constant("sever"), afterBytes: fc.nat(12) }),
  fc.record({
    type: fc.constant("corrupt"),
    offset: fc.integer({ min: -9, max: 9 }),
    xor: fc.integer({ min: 1, max: 255 })
  }),
  fc.record({ type: fc.constant("truncateBody"), keep: fc.nat(6) }),
  fc.record({ type: fc.constant("badLength"), value: fc.nat(300) }),
  fc.record({ type: fc.constant("delay"), ms: fc.nat(300) }),
  fc.record({ type: fc.constant("latency"), ms: fc.nat(50), jitterMs: fc.nat(50) }),
  fc.record({ type: fc.constant("duplicate"), copies: fc.integer({ min: 2, max: 4 }) }),
  fc.record({
    type: fc.constant("inject"),
    bytes: fc.record({ text: fc.constantFrom("a", "bc") }),
    at: fc.constantFrom("before", "after")
  }),
  fc.record({ type: fc.constant("splitWrites"), chunkSizes: fc.array(some, { minLength: 1, maxLength: 3 }) }),
  fc.record({ type: fc.constant("throttle"), bytesPerSecond: some }),
  fc.record({ type: fc.constant("hold"), barrier: fc.constantFrom("a", "b") })
)

/** Rules as JSON; `direction` says which way they are for. */
export const programs = (direction: fc.Arbitrary<string> = fc.constantFrom("c2u", "u2c", "both")) =>
  fc.record({
    rules: fc.array(
      fc
        .tuple(
          fc.record({ direction, match, action }),
          fc.record(
            { times: fc.integer({ min: 1, max: 3 }), connection: fc.integer({ min: 1, max: 3 }) },
            { requiredKeys: [] }
          )
        )
        .map(([rule, more]) => ({ ...rule, ...more })),
      { maxLength: 5 }
    )
  })
