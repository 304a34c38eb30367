import type { Choice } from "../../kernel/choice.ts"
import { unitStream } from "./choose.ts"
import type { FaultWeights } from "./weights.ts"

/**
 * Faults that come in bursts: a lane is calm or in an incident. `enter` and `leave` are the probabilities, for each
 * `random` entry, that an incident begins or ends with it; `weights` replace those of the profile during one.
 *
 * **Source** fault-server.md, section 9.5
 *
 * @since 0.1.0
 * @category models
 */
export interface Burst {
  readonly enter: number
  readonly leave: number
  readonly weights: FaultWeights
}

/**
 * Says whether the next `random` entry falls into an incident; each answer takes exactly one draw.
 *
 * @since 0.1.0
 * @category services
 */
export interface IncidentStream {
  next(burst: Burst, isIncident: boolean): boolean
}

/**
 * Incidents that follow from the seed of the incident stream alone.
 *
 * @since 0.1.0
 * @category constructors
 */
export const seededIncidents = (seed: number): IncidentStream => {
  const draw = unitStream(seed)
  return {
    next(burst, isIncident) {
      const unit = draw()
      return isIncident ? !(unit < burst.leave) : unit < burst.enter
    }
  }
}

/**
 * Incidents that another source chooses among what the burst allows, calm first. The draws are labelled
 * `incident/<lane>`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const choiceIncidents = (choice: Choice, lane: string): IncidentStream => ({
  next(burst, isIncident) {
    const canBeCalm = isIncident ? burst.leave > 0 : burst.enter < 1
    const canBeIncident = isIncident ? burst.leave < 1 : burst.enter > 0
    const count = canBeCalm && canBeIncident ? 2 : 1
    const answer = choice.draw(count, `incident/${lane}`)
    return canBeCalm ? answer === 1 : true
  }
})
