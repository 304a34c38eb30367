import type { FaultName } from "../../domain/fault-names.ts"
import type { Choice } from "../../kernel/choice.ts"
import { derive } from "../../kernel/derive-seed.ts"
import { type Burst, choiceIncidents, seededIncidents } from "./burst.ts"
import { choiceChooser, seededChooser } from "./choose.ts"
import { defaultLane, laneSeed } from "./lane-seed.ts"
import type { IncidenceProfile, ProfileTiming } from "./profile.ts"
import { choiceJitter, seededJitter, type TimingKind, timingMs } from "./timing.ts"
import type { FaultWeights } from "./weights.ts"

/**
 * What the choices of a lane are made from: bare weights, or a profile that may also have bursts and timing.
 *
 * @since 0.1.0
 * @category models
 */
export type ChanceSource = { readonly weights: FaultWeights } | { readonly profile: IncidenceProfile }

/**
 * Whose choices these are.
 *
 * @since 0.1.0
 * @category models
 */
export type LaneChanceOptions = ChanceSource & {
  /** The configured seed, 0 to 2^32 - 1; that of the lane is derived from it. */
  readonly seed: number
  /** `default` when absent. */
  readonly lane?: string
  /** What draws are labelled with, for a key that is a secret; the key itself when absent. */
  readonly label?: string
  /** Answers in the place of the seed. */
  readonly choice?: Choice
}

/**
 * All that is left to chance in one lane. What it gives follows from its options and from how often it was asked; other
 * lanes cannot change it, and timing cannot change which faults occur.
 *
 * **Source** fault-server.md, sections 5.5, 9.1.4 to 9.1.6 and 9.5
 *
 * @since 0.1.0
 * @category services
 */
export interface LaneChance {
  /**
   * Call it once for each `random` entry, at acceptance. Takes one draw of choices, and with bursts one of incidents.
   */
  choose(): FaultName
  /**
   * A wait in whole milliseconds, `null` when it is left to the options. Call it at acceptance. Takes at most one draw.
   */
  timing(kind: TimingKind): number | null
  /** Where the streams are: equal states go on equally. */
  state(): LaneChanceState
}

/**
 * How many draws were taken from each stream, and whether the last `random` entry fell into an incident.
 *
 * @since 0.1.0
 * @category models
 */
export interface LaneChanceState {
  readonly choiceDraws: number
  readonly incidentDraws: number
  readonly jitterDraws: number
  readonly isIncident: boolean
}

/** @since 0.1.0 @category constructors */
export const laneChance = (options: LaneChanceOptions): LaneChance => {
  const { weights, burst, timing } = readSource(options)
  const { chooser, incidents, jitter } = openStreams(options)
  let choiceDraws = 0
  let incidentDraws = 0
  let jitterDraws = 0
  let isIncident = false

  const draw = (): number => {
    jitterDraws++
    return jitter()
  }

  const chooseFrom = (current: FaultWeights): FaultName => {
    choiceDraws++
    return chooser.choose(current)
  }

  return {
    choose() {
      if (burst === undefined) return chooseFrom(weights)
      incidentDraws++
      isIncident = incidents.next(burst, isIncident)
      return chooseFrom(isIncident ? burst.weights : weights)
    },
    timing(kind) {
      const distribution = timing?.[kind]
      return distribution === undefined ? null : timingMs(distribution, draw)
    },
    state: () => ({ choiceDraws, incidentDraws, jitterDraws, isIncident })
  }
}

interface Source {
  readonly weights: FaultWeights
  readonly burst?: Burst
  readonly timing?: ProfileTiming
}

const readSource = (source: ChanceSource): Source => ("profile" in source ? source.profile : source)

const openStreams = ({ seed, lane = defaultLane, label = lane, choice }: LaneChanceOptions) => {
  if (choice !== undefined) {
    return {
      chooser: choiceChooser(choice, label),
      incidents: choiceIncidents(choice, label),
      jitter: choiceJitter(choice, label)
    }
  }
  const own = laneSeed(seed, lane)
  return {
    chooser: seededChooser(own),
    incidents: seededIncidents(derive(own, "incident")),
    jitter: seededJitter(derive(own, "jitter"))
  }
}
