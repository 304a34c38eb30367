import type { PlacedBarrier } from "../domain/barrier.ts"
import { settingsOf } from "../domain/check-fault-options.ts"
import type { InferenceEndpoint, WireProfile } from "../domain/endpoint.ts"
import { member } from "../domain/json.ts"
import type { BarrierOwner, Plan } from "../domain/plan.ts"
import type { FaultAnswer } from "../faults/catalogue/behavior.ts"
import { behaviorOf } from "../faults/catalogue/catalogue.ts"
import { faultPlan } from "../faults/catalogue/fault-plan.ts"
import type { FaultFormat } from "../faults/catalogue/voice.ts"
import { providerVoice } from "../faults/catalogue/voices/provider-voice.ts"
import type { ScriptedFault } from "../serving/scripted-plan.ts"
import { responseHeaders } from "../wire/response-headers.ts"
import type { InferenceRequest } from "./inference-request.ts"

const formats: Readonly<Record<InferenceEndpoint, FaultFormat>> = {
  ChatCompletions: "chat",
  Responses: "responses",
  Messages: "messages"
}

/** What a fault is made into a plan with. */
export interface FaultTerms {
  readonly profile: WireProfile
  /** Milliseconds since 1970. */
  readonly wallMs: number
  readonly barriers: ReadonlyArray<PlacedBarrier>
  readonly owner: BarrierOwner
}

/**
 * A fault of the catalogue as an answer to a request: in the form of its API, as a stream when it asked for one, with the
 * builders of the server's profile.
 *
 * **Source** DESIGN, section 4 (wire shape of faults)
 *
 * @since 0.1.0
 * @category plans
 */
export const faultAnswerPlan = (fault: ScriptedFault, request: InferenceRequest, terms: FaultTerms): Plan => {
  const { profile, wallMs, barriers, owner } = terms
  const { value } = request.body
  const voice = providerVoice(formats[request.endpoint], {
    model: modelOf(value),
    profile,
    includeUsage: member(member(value, "stream_options"), "include_usage") === true,
    request: value
  })
  const isStream = profile === "compact" || member(value, "stream") === true
  const answer = behaviorOf(fault.name)[isStream ? "stream" : "reply"]({
    voice,
    settings: settingsOf(fault.options),
    wallMs
  })
  const headed = { ...answer, head: headOf(answer, fault, profile) }
  return faultPlan(headed, { barriers: barriers.map((barrier) => placed(barrier, answer)), owner, headers: [] })
}

const modelOf = (value: unknown): string => {
  const model = member(value, "model")
  return typeof model === "string" && model !== "" ? model : "test-model"
}

/** The server's own headers of every answer; those of the fault replace them, and those of the test both. */
const headOf = ({ head }: FaultAnswer, fault: ScriptedFault, profile: WireProfile): FaultAnswer["head"] => {
  if (head === null) return null
  const scripted = [...head.headers, ...fault.headers]
  const flat = responseHeaders({ carried: "empty", profile, contentBytes: null, scripted })
  const headers = flat.flatMap(
    (name, index): ReadonlyArray<readonly [string, string]> => (index % 2 === 0 ? [[name, flat[index + 1] ?? ""]] : [])
  )
  return { status: head.status, headers }
}

/** A fault that says nowhere how it ended waits before its last step instead. */
const placed = (barrier: PlacedBarrier, { semanticEnd }: FaultAnswer): PlacedBarrier =>
  barrier.place === "semanticEnd" ? { name: barrier.name, place: semanticEnd ?? "terminal" } : barrier
