import fc from "fast-check"
import { type FaultName, faultNames } from "../../src/domain/fault-names.ts"
import { defaultLane } from "../../src/faults/chance/lane-seed.ts"
import type { IncidenceProfile } from "../../src/faults/chance/profile.ts"
import type { TimingDistribution } from "../../src/faults/chance/timing.ts"
import type { FaultWeights } from "../../src/faults/chance/weights.ts"

/** @since 0.1.0 @category faults */
export const anySeed = fc.oneof(fc.constantFrom(0, 1, 42, 4_294_967_295), fc.integer({ min: 0, max: 4_294_967_295 }))

/** @since 0.1.0 @category faults */
export const anyLane = fc.oneof(fc.constantFrom(defaultLane, "alpha", "beta", ""), fc.string({ maxLength: 6 }))

/** Zero often; otherwise small and large, whole and not, and far from where doubles end. */
const weight = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 100 }),
  fc.double({ min: 1e-3, max: 1e6, noNaN: true })
)

/**
 * Weights as they are written: zeros among them, at least one that is not.
 *
 * @since 0.1.0
 * @category faults
 */
export const anyWeights: fc.Arbitrary<FaultWeights> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...faultNames), weight), {
    minLength: 1,
    maxLength: 6,
    selector: ([name]) => name
  })
  .filter((weights) => weights.some(([, weight]) => weight > 0))

const distribution: fc.Arbitrary<TimingDistribution> = fc.oneof(
  fc.record({ kind: fc.constant("fixed" as const), ms: fc.nat(100) }),
  fc
    .tuple(fc.nat(100), fc.nat(100))
    .map(([leastMs, more]) => ({ kind: "uniform" as const, leastMs, mostMs: leastMs + more })),
  fc.record({ kind: fc.constant("exponential" as const), meanMs: fc.nat(100), capMs: fc.nat(200) })
)

const probability = fc.oneof(fc.constantFrom(0, 0.5, 1), fc.double({ min: 0, max: 1, noNaN: true }))

/**
 * With and without bursts and timing.
 *
 * @since 0.1.0
 * @category faults
 */
export const anyProfile: fc.Arbitrary<IncidenceProfile> = fc.record(
  {
    name: fc.constant("drawn"),
    version: fc.constant(1),
    kind: fc.constant("pressure" as const),
    weights: anyWeights,
    burst: fc.record({ enter: probability, leave: probability, weights: anyWeights }),
    timing: fc.record({ chunkDelayMs: distribution, headDelayMs: distribution }, { requiredKeys: [] })
  },
  { requiredKeys: ["name", "version", "kind", "weights"] }
)

/**
 * The entries of a script, about half of them `random`.
 *
 * @since 0.1.0
 * @category faults
 */
export const anyScript: fc.Arbitrary<ReadonlyArray<FaultName | "random">> = fc.array(
  fc.oneof(fc.constant("random" as const), fc.constantFrom(...faultNames)),
  { maxLength: 12 }
)
