import { DuplicateExpectation } from "../domain/errors.ts"
import type { ExpectationHandle } from "./expectation-handle.ts"
import type { ScenarioScript } from "./scenario-script.ts"
import type { MockInferenceServer } from "./server-api.ts"

/** What a scenario needs of a server. */
export type ScenarioTarget = Pick<
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
  | "expectResponse"
>

/** What came of a scenario. */
export interface AppliedScenario {
  /** Everything of it and of the ones before that is not settled, by name. */
  readonly handles: ReadonlyMap<string, ExpectationHandle>
  /** `kept`: of a scenario before, for a server cannot forget them. */
  readonly settings: "none" | "set" | "kept"
  /** Names that could not be registered, for a call of that name is still running. */
  readonly skipped: ReadonlyArray<string>
}

/**
 * Makes a server do what a scenario says, in one synchronous step. What `before` registered and nobody claimed is taken
 * back; what is running runs on, and its name stays taken.
 *
 * @since 0.1.0
 * @category running
 */
export const applyScenario = (
  server: ScenarioTarget,
  script: ScenarioScript,
  before?: AppliedScenario
): AppliedScenario => {
  const running = [...(before?.handles.values() ?? [])].filter((handle) => !handle.retire() && !isSettled(handle))
  server.clearQueues()
  server.setProfile(script.profile)
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
  for (const { name, matcher, response, barriers } of script.expectations) {
    try {
      handles.set(name, server.expectResponse(name, matcher, response, { barriers }))
    } catch (error) {
      if (!(error instanceof DuplicateExpectation)) throw error
      skipped.push(name)
    }
  }
  const hadSettings = before !== undefined && before.settings !== "none"
  return { handles, skipped, settings: script.settings !== null ? "set" : hadSettings ? "kept" : "none" }
}

const isSettled = ({ phase }: ExpectationHandle): boolean =>
  phase === "Satisfied" || phase === "Abandoned" || phase === "Retired"
