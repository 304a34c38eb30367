import type { Plan } from "../domain/plan.ts"
import type { InferenceRequest } from "./inference-request.ts"
import type { ServerState } from "./server-state.ts"

/**
 * Plans of answers that follow from the body of a request and the settings of the server alone: clients under load ask the same again
 * and again, and an answer of fifty events takes longer to write than all the rest.
 */
export interface PlanMemo {
  /** The plan for a request like this one, of before or made now. */
  planFor(request: InferenceRequest, make: () => Plan): Plan
}

/** So many plans are kept, of requests and answers of at most so many characters or bytes. */
const plansMax = 32
const requestLengthMax = 4_096
const answerBytesMax = 32_768

type Settings = Pick<ServerState, "profile" | "mode" | "stopReason" | "chunkDelayMs">

const settingsOf = ({ profile, mode, stopReason, chunkDelayMs }: ServerState): Settings => ({
  profile,
  mode,
  stopReason,
  chunkDelayMs
})

const areSame = (one: Settings, other: Settings): boolean =>
  one.profile === other.profile &&
  one.mode === other.mode &&
  one.stopReason === other.stopReason &&
  one.chunkDelayMs === other.chunkDelayMs

/** @since 0.1.0 @category constructors */
export const makePlanMemo = (state: ServerState): PlanMemo => {
  const plans = new Map<string, Plan>()
  let settings = settingsOf(state)
  return {
    planFor({ endpoint, kind, body }, make) {
      if (!areSame(settings, state)) {
        settings = settingsOf(state)
        plans.clear()
      }
      if (body.text.length > requestLengthMax) return make()
      const key = `${endpoint}/${kind}/${body.text}`
      const known = plans.get(key)
      if (known !== undefined) return known
      const plan = make()
      if (bytesOf(plan) > answerBytesMax) return plan
      const [oldest] = plans.keys()
      if (plans.size >= plansMax && oldest !== undefined) plans.delete(oldest)
      plans.set(key, plan)
      return plan
    }
  }
}

const bytesOf = ({ steps }: Plan): number =>
  steps.reduce((sum, step) => sum + (step.kind === "write" ? step.bytes.length : 0), 0)
