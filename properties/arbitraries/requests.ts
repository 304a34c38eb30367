import fc from "fast-check"
import type { RequestClass } from "../../src/domain/classification.ts"
import type { InferenceEndpoint } from "../../src/domain/endpoint.ts"
import type { BarrierPlace, RequestSpec, Script } from "../model/command.ts"

/** Mostly one endpoint, so that requests and expectations meet. */
export const endpoint: fc.Arbitrary<InferenceEndpoint> = fc.oneof(
  { weight: 8, arbitrary: fc.constant<"ChatCompletions">("ChatCompletions") },
  { weight: 2, arbitrary: fc.constant<"Responses">("Responses") },
  { weight: 1, arbitrary: fc.constant<"Messages">("Messages") }
)

export const matcher: fc.Arbitrary<RequestClass> = fc.record({
  endpoint,
  kind: fc.oneof(
    { weight: 4, arbitrary: fc.constant<"foreground">("foreground") },
    { weight: 1, arbitrary: fc.constant<"auxiliary">("auxiliary") }
  )
})

/** A slow reader now and then: one that takes a write at a time, and one that takes two or three. */
export const windowBytes: fc.Arbitrary<number | null> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom(1, 60) }
)

const key: fc.Arbitrary<RequestSpec["key"]> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<"none">("none") },
  { weight: 2, arbitrary: fc.constant<"bearer">("bearer") },
  { weight: 1, arbitrary: fc.constantFrom<RequestSpec["key"]>("lower", "x-api-key", "wrong") }
)

/**
 * Requests of the small domain: most have an identity, and few are different, so that duplicates are common.
 *
 * @since 0.1.0
 * @category models
 */
export const requestSpec: fc.Arbitrary<RequestSpec> = fc.record({
  endpoint,
  headers: fc.oneof(
    { weight: 5, arbitrary: fc.constant<"both">("both") },
    { weight: 2, arbitrary: fc.constantFrom<RequestSpec["headers"]>("id", "turn") },
    { weight: 1, arbitrary: fc.constantFrom<RequestSpec["headers"]>("none", "empty") }
  ),
  id: fc.oneof({ weight: 3, arbitrary: fc.constant("a") }, { weight: 1, arbitrary: fc.constant("b") }),
  body: fc.oneof(
    { weight: 5, arbitrary: fc.constant<"plain">("plain") },
    { weight: 1, arbitrary: fc.constant<"toolResult">("toolResult") }
  ),
  tools: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(1, 2, 3) }),
  streams: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  spelling: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(7) }),
  key,
  windowBytes
})

/** What a duplicate may change without becoming another call. */
export const respelling: fc.Arbitrary<Pick<RequestSpec, "spelling" | "key" | "windowBytes">> = fc.record({
  spelling: fc.nat(7),
  key,
  windowBytes
})

/**
 * A scripted answer: streams of up to three events mostly.
 *
 * @since 0.1.0
 * @category models
 */
export const script: fc.Arbitrary<Script> = fc.oneof(
  { weight: 5, arbitrary: fc.nat(3).map((events): Script => ({ kind: "sse", events })) },
  { weight: 2, arbitrary: fc.constantFrom<Script>({ kind: "json", events: 0 }, { kind: "raw", events: 0 }) },
  { weight: 1, arbitrary: fc.constant<Script>({ kind: "bare", events: 0 }) }
)

/** The barriers of an expectation with this script: none, the one at the end, or several. */
export const barriersFor = ({ kind, events }: Script): fc.Arbitrary<ReadonlyArray<BarrierPlace>> => {
  const inside = kind === "sse" ? Array.from({ length: events }, (_, index) => index) : []
  const places: ReadonlyArray<BarrierPlace> = ["head", ...inside, "terminal"]
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant<ReadonlyArray<BarrierPlace>>([]) },
    { weight: 5, arbitrary: fc.constant<ReadonlyArray<BarrierPlace>>(["terminal"]) },
    { weight: 2, arbitrary: fc.subarray([...places]) }
  )
}
