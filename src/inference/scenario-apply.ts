import type { SessionRules } from "../domain/conversation.ts"
import { DuplicateExpectation } from "../domain/errors.ts"
import type { ExpectationHandle } from "./expectation-handle.ts"
import type { ScriptedExpectation } from "./scenario-expectation.ts"
import { type ExpectationTarget, registerExpectation, singleHandles } from "./scenario-register.ts"
import type { ScenarioScript } from "./scenario-script.ts"
import type { MockInferenceServer } from "./server-api.ts"

/** What a scenario needs of a server. */
export type ScenarioTarget = ExpectationTarget &
  Pick<
    MockInferenceServer,
    | "setProfile"
    | "setRequiredToken"
    | "setModels"
    | "setSettings"
    | "setUserSubscriptionTier"
    | "setResponse"
    | "setEcho"
    | "setChunkDelay"
    | "setMessagesStopReason"
    | "setAgentTurns"
    | "clearQueues"
    | "enqueueResponse"
    | "setStrict"
  >

/** What a server cannot forget: never told, told by this scenario, or kept of one before. */
export type Lasting = "none" | "set" | "kept"

/** What came of a scenario. */
export interface AppliedScenario {
  /** Everything of it and of the ones before that is not settled, by name. */
  readonly handles: ReadonlyMap<string, ExpectationHandle>
  readonly settings: Lasting
  /** Whether attempts are counted because a scenario has some, or asks for one. */
  readonly attempts: Lasting
  /** `kept`: the server was started with others. */
  readonly sessions: Lasting
  /** `kept`: the server was started with another. */
  readonly faultHeader: Lasting
  /** What the server was started with. */
  readonly startedWith: Pick<ScenarioScript, "sessions" | "faultHeader">
  /** Names that could not be registered, for a call of that name is still running. */
  readonly skipped: ReadonlyArray<string>
}

/**
 * Makes a server do what a scenario says, in one synchronous step. What `before` registered and nobody claimed is taken
 * back; what is running runs on, and its name stays taken.
 *
 * **Takes** a server that was started with the `startOptions` of the first scenario
 *
 * @since 0.1.0
 * @category running
 */
export const applyScenario = (
  server: ScenarioTarget,
  script: ScenarioScript,
  before?: AppliedScenario
): AppliedScenario => {
  const running = [...(before?.handles.values() ?? [])].filter((handle) => withdraw(handle).length > 0)
  server.clearQueues()
  server.setProfile(script.profile)
  server.setStrict(script.isStrict)
  server.setRequiredToken(script.token)
  server.setModels(script.models)
  if (script.settings !== null) server.setSettings(script.settings.value)
  server.setUserSubscriptionTier(script.userTier)
  if (script.mode.kind === "echo") server.setEcho()
  else server.setResponse(script.mode.text)
  server.setChunkDelay(script.chunkDelayMs)
  server.setMessagesStopReason(script.messagesStopReason)
  server.setAgentTurns(script.turns)
  for (const { path, response } of script.queued) server.enqueueResponse(path, response)

  const handles = new Map(running.map((handle) => [handle.name, handle]))
  const skipped: Array<string> = []
  for (const expectation of script.expectations) {
    try {
      handles.set(expectation.name, registerExpectation(server, expectation))
    } catch (error) {
      if (!(error instanceof DuplicateExpectation)) throw error
      skipped.push(expectation.name)
    }
  }
  const { sessions, faultHeader } = script
  const startedWith = before?.startedWith ?? { sessions, faultHeader }
  return {
    handles,
    skipped,
    settings: lasting(script.settings !== null, before?.settings),
    attempts: lasting(script.expectations.some(countsAttempts), before?.attempts),
    sessions: areSame(sessions, startedWith.sessions) ? lasting(sessions !== null, undefined) : "kept",
    faultHeader: faultHeader === startedWith.faultHeader ? lasting(faultHeader !== null, undefined) : "kept",
    startedWith
  }
}

/** Takes back what nobody has claimed; gives what is still running. */
const withdraw = (handle: ExpectationHandle): ReadonlyArray<ExpectationHandle> =>
  singleHandles(handle).filter((single) => !single.retire() && !isSettled(single))

const lasting = (isSet: boolean, before: Lasting | undefined): Lasting => {
  if (isSet) return "set"
  return before === undefined || before === "none" ? "none" : "kept"
}

/** Whether registering it makes a server count attempts. */
const countsAttempts = ({ answer }: ScriptedExpectation): boolean => {
  if (answer.kind === "attempts") return true
  const expected = answer.kind === "anyOf" ? answer.alternatives : [answer]
  return expected.some(({ matcher }) => matcher.conditions?.some(({ isAboutAttempt }) => isAboutAttempt === true))
}

const areSame = (left: SessionRules | null, right: SessionRules | null): boolean =>
  left?.sessionHeader === right?.sessionHeader &&
  left?.idempotencyHeader === right?.idempotencyHeader &&
  (left?.retries ?? "own") === (right?.retries ?? "own") &&
  (left === null) === (right === null)

const isSettled = ({ phase }: ExpectationHandle): boolean =>
  phase === "Satisfied" || phase === "Abandoned" || phase === "Retired"
