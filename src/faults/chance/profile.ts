import type { FaultName } from "../../domain/fault-names.ts"
import type { Burst } from "./burst.ts"
import type { TimingDistribution, TimingKind } from "./timing.ts"
import type { FaultWeights } from "./weights.ts"

/**
 * How often which fault occurs, as a named, versioned document. A pressure profile is designed for test coverage; only
 * a measured one says what really happened, and from what that is known.
 *
 * **Source** fault-server.md, section 9.5
 *
 * @since 0.1.0
 * @category models
 */
export type IncidenceProfile = PressureProfile | MeasuredProfile

/** What both kinds have. */
interface ProfileBase {
  readonly name: string
  /** A whole number from 1; other weights of the same name are another version. */
  readonly version: number
  readonly weights: FaultWeights
  readonly burst?: Burst
  readonly timing?: ProfileTiming
}

/** @since 0.1.0 @category models */
export interface PressureProfile extends ProfileBase {
  readonly kind: "pressure"
}

/** @since 0.1.0 @category models */
export interface MeasuredProfile extends ProfileBase {
  readonly kind: "measured"
  /** Where the numbers come from. */
  readonly source: string
  /** The period in which they were gathered. */
  readonly window: string
  /** How many requests were counted. */
  readonly requests: number
  readonly evidence?: ReadonlyArray<Evidence>
}

/**
 * What was counted for one behaviour, and between which shares of all requests the true share lies (95 %, Wilson).
 *
 * @since 0.1.0
 * @category models
 */
export interface Evidence {
  readonly behavior: FaultName
  readonly count: number
  readonly low: number
  readonly high: number
  /** Seen too seldom to say much: fewer than five times. */
  readonly isRare: boolean
}

/**
 * The waits that vary; the others are those of the options.
 *
 * @since 0.1.0
 * @category models
 */
export type ProfileTiming = { readonly [Kind in TimingKind]?: TimingDistribution }
