import fc from "fast-check"
import type { RequestClass } from "../../src/domain/classification.ts"
import type { InferenceEndpoint } from "../../src/domain/endpoint.ts"
import type { BarrierPlace, RequestSpec, Script } from "../model/command.ts"
import { weighted } from "./weighted.ts"

/** Mostly one endpoint, so that requests and expectations meet. */
export const endpoint: fc.Arbitrary<InferenceEndpoint> = weighted(
  [8, "ChatCompletions"],
  [2, "Responses"],
  [1, "Messages"]
)

export const matcher: fc.Arbitrary<RequestClass> = fc.record({
  endpoint,
  kind: weighted([4, "foreground"], [1, "auxiliary"])
})

const key: fc.Arbitrary<RequestSpec["key"]> = weighted(
  [4, "none"],
  [2, "bearer"],
  [1, "lower"],
  [1, "x-api-key"],
  [1, "wrong"]
)

/** A slow reader now and then: one that takes a write at a time, and one that takes two or three. */
const windowBytes: fc.Arbitrary<number | null> = weighted([10, null], [1, 1], [1, 60])

/**
 * Requests of the small domain: most have an identity, and few are different, so that duplicates are common.
 *
 * @since 0.1.0
 * @category models
 */
export const requestSpec: fc.Arbitrary<RequestSpec> = fc.record({
  endpoint,
  headers: weighted([10, "both"], [2, "id"], [2, "turn"], [1, "none"], [1, "empty"]),
  id: weighted([3, "a"], [1, "b"]),
  body: weighted([5, "plain"], [1, "toolResult"]),
  tools: weighted([12, 0], [1, 1], [1, 2], [1, 3]),
  streams: weighted([5, true], [1, false]),
  spelling: weighted([12, 0], [1, 1], [1, 2], [1, 3], [1, 4], [1, 5], [1, 6], [1, 7]),
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
export const script: fc.Arbitrary<Script> = weighted(
  [2, { kind: "sse", events: 1 }],
  [4, { kind: "sse", events: 2 }],
  [4, { kind: "sse", events: 3 }],
  [2, { kind: "sse", events: 0 }],
  [2, { kind: "json", events: 0 }],
  [2, { kind: "raw", events: 0 }],
  [2, { kind: "bare", events: 0 }]
)

/** Barriers, in the order of their places: none, the one at the end, or several; some scripts have not all places. */
export const barriers: fc.Arbitrary<ReadonlyArray<BarrierPlace>> = fc.oneof(
  { weight: 7, arbitrary: weighted<ReadonlyArray<BarrierPlace>>([2, []], [5, ["terminal"]]) },
  { weight: 2, arbitrary: fc.subarray<BarrierPlace>(["head", 0, 1, 2, "terminal"]) }
)

/** Those of the barriers that an expectation with this script can have. */
export const fitting = (barriers: ReadonlyArray<BarrierPlace>, { kind, events }: Script): ReadonlyArray<BarrierPlace> =>
  barriers.filter((place) => typeof place === "string" || (kind === "sse" && place < events))
