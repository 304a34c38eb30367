import type { FaultName } from "../domain/fault-names.ts"
import type { FaultOptions } from "../domain/fault-options.ts"
import type { KnownAttempt } from "../domain/known-attempt.ts"
import type { Attempts } from "../serving/attempts.ts"
import { keyedChoice } from "./chance/keyed-choice.ts"
import type { Lane, Taken } from "./lane.ts"
import { canonicalText, type LaneRequest } from "./lane-key.ts"
import type { Gap } from "./script-entry.ts"

/** What one exchange gets, and of which lane. */
export interface Draw {
  readonly scriptBehavior: FaultName | "random" | "script_exhausted"
  readonly behavior: FaultName | "script_exhausted"
  readonly options: FaultOptions
  /** Silence before the head, on top of that of the behaviour. */
  readonly headDelayMs: number
  readonly lane: string
  /** The key of the lane, which may be a secret; `null` for what all callers share. */
  readonly key: string | null
  readonly laneAttempt: number
  readonly gap: Gap | null
  /** Where attempts are counted: which one this is. */
  readonly known: KnownAttempt | null
}

/** How `random` is drawn: in the order of a lane, or by session, turn and attempt. */
export interface DrawRules {
  readonly seed: number
  readonly keyed: boolean
  readonly attempts: Attempts
  /** The number that the exchange will have. */
  readonly upcoming: () => number
}

/**
 * The next entry of a lane, with `random` resolved: exactly one draw for each `random`, none for anything else.
 *
 * **Source** fault-server.md, sections 5.5 and 9.5; DESIGN, section 3
 *
 * @since 0.1.0
 * @category lanes
 */
export const drawFor = (lane: Lane, taken: Taken, request: LaneRequest, rules: DrawRules): Draw => {
  const { ready, chance, name, key } = lane.data
  const known = rules.keyed ? rules.attempts.begin({ ...request, body: spelled(request) }, rules.upcoming()) : null
  const { entry, laneAttempt, gap } = taken
  const place = { lane: name, key, laneAttempt, gap, known }
  if (entry === null) {
    return {
      scriptBehavior: "script_exhausted",
      behavior: "script_exhausted",
      options: ready.options,
      headDelayMs: 0,
      ...place
    }
  }
  const options = { ...ready.options, ...entry.options }
  if (entry.behavior !== "random") {
    return { scriptBehavior: entry.behavior, behavior: entry.behavior, options, headDelayMs: 0, ...place }
  }
  const behavior = known === null ? chance.choose() : keyedChoice(rules.seed, known, ready.weights)
  const chunkDelayMs = chance.timing("chunkDelayMs")
  return {
    scriptBehavior: "random",
    behavior,
    options: chunkDelayMs === null ? options : { ...options, chunkDelayMs },
    headDelayMs: chance.timing("headDelayMs") ?? 0,
    ...place
  }
}

/** A body that can be spelled canonically, however deep it is. */
const spelled = ({ body }: LaneRequest): LaneRequest["body"] => ({ text: canonicalText(body), value: body.value })

/** A request that takes no entry: it asked for a fault itself, or is spared. */
export const drawApart = (behavior: FaultName, lane: string, options: FaultOptions, laneAttempt: number): Draw => ({
  scriptBehavior: behavior,
  behavior,
  options,
  headDelayMs: 0,
  lane,
  key: null,
  laneAttempt,
  gap: null,
  known: null
})
