import { isRecord, member } from "../../domain/json.ts"

/** What an agent may be given, as the protocol names it. */
export type PermissionKind = "allow_once" | "allow_always" | "reject_once" | "reject_always"

/** One answer that an agent offers. */
export interface PermissionOption {
  readonly optionId: string
  /** As the agent wrote it; empty when it is no string. */
  readonly kind: string
  readonly name: string
}

/** What an agent asks permission for. */
export interface PermissionRequest {
  /** `null` when it is no string. */
  readonly sessionId: string | null
  readonly toolCall: unknown
  /** In the order of the agent; what has no id is left out. */
  readonly options: ReadonlyArray<PermissionOption>
}

/** An option by its id, or no option at all. */
export type PermissionAnswer = { readonly optionId: string } | "cancelled"

/**
 * How requests for permission are answered. `default` takes the first option of kind `allow_once`, else the first of any;
 * `rejectOnce` the first of kind `reject_once`, else none; `scripted` one kind for each request, and none when they are used up;
 * `hold` leaves them to the test.
 *
 * **Source** agent-harness.md, section 2.5
 *
 * @since 0.1.0
 * @category models
 */
export type PermissionPolicy =
  | "default"
  | "cancelAll"
  | "rejectOnce"
  | "hold"
  | { readonly scripted: ReadonlyArray<PermissionKind> }
  | { readonly custom: (request: PermissionRequest) => PermissionAnswer | Promise<PermissionAnswer> }

/** One decision; `mistake` says what was wrong with the script. */
export interface PermissionDecision {
  readonly answer: PermissionAnswer
  readonly mistake: string | null
}

/** A policy at work: it decides, holds, or asks the test. */
export interface PermissionDecider {
  decide(request: PermissionRequest): PermissionDecision | "held" | Promise<PermissionDecision>
}

/** @since 0.1.0 @category encoding */
export const permissionRequest = (params: unknown): PermissionRequest => {
  const sessionId = member(params, "sessionId")
  const options = member(params, "options")
  return {
    sessionId: typeof sessionId === "string" ? sessionId : null,
    toolCall: member(params, "toolCall"),
    options: Array.isArray(options) ? options.flatMap(readOption) : []
  }
}

const readOption = (option: unknown): ReadonlyArray<PermissionOption> => {
  const optionId = member(option, "optionId")
  if (!isRecord(option) || typeof optionId !== "string") return []
  const [kind, name] = [member(option, "kind"), member(option, "name")]
  return [{ optionId, kind: typeof kind === "string" ? kind : "", name: typeof name === "string" ? name : "" }]
}

/** The result of `session/request_permission`. */
export const permissionResult = (answer: PermissionAnswer): unknown => ({
  outcome: answer === "cancelled" ? { outcome: "cancelled" } : { outcome: "selected", optionId: answer.optionId }
})

/**
 * What the default policy answers.
 *
 * @since 0.1.0
 * @category models
 */
export const defaultAnswer = ({ options }: PermissionRequest): PermissionAnswer => {
  const chosen = options.find(({ kind }) => kind === "allow_once") ?? options[0]
  return chosen === undefined ? "cancelled" : { optionId: chosen.optionId }
}

const ofKind = ({ options }: PermissionRequest, kind: PermissionKind): PermissionAnswer => {
  const chosen = options.find((option) => option.kind === kind)
  return chosen === undefined ? "cancelled" : { optionId: chosen.optionId }
}

const decided = (answer: PermissionAnswer, mistake: string | null = null): PermissionDecision => ({ answer, mistake })

/** @since 0.1.0 @category constructors */
export const makeDecider = (policy: PermissionPolicy): PermissionDecider => {
  if (policy === "default") return { decide: (request) => decided(defaultAnswer(request)) }
  if (policy === "cancelAll") return { decide: () => decided("cancelled") }
  if (policy === "rejectOnce") return { decide: (request) => decided(ofKind(request, "reject_once")) }
  if (policy === "hold") return { decide: () => "held" }
  if ("scripted" in policy) return scripted(policy.scripted)
  return {
    decide(request) {
      const answer = policy.custom(request)
      return answer instanceof Promise ? answer.then((given) => decided(given)) : decided(answer)
    }
  }
}

const scripted = (kinds: ReadonlyArray<PermissionKind>): PermissionDecider => {
  let next = 0
  return {
    decide(request) {
      const kind = kinds[next++]
      if (kind === undefined) return decided("cancelled")
      const answer = ofKind(request, kind)
      if (answer !== "cancelled") return decided(answer)
      const offered = request.options.map((option) => option.kind).join(", ") || "nothing"
      return decided(answer, `answer ${next} of the permission script is ${kind}, and the agent offered ${offered}`)
    }
  }
}
