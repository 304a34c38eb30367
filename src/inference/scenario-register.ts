import type { ExpectationHandle } from "./expectation-handle.ts"
import type { GroupHandle } from "./group-handle.ts"
import { makeGroupHandle } from "./make-group-handle.ts"
import type { ScriptedExpectation } from "./scenario-expectation.ts"
import { timedNames } from "./scenario-names.ts"
import type { MockInferenceServer } from "./server-api.ts"

/** What registering needs of a server. */
export type ExpectationTarget = Pick<MockInferenceServer, "expectResponse" | "expectAttempts" | "expectAny">

/**
 * Registers one expectation of a scenario, all of its members or none.
 *
 * **Gives** one handle, whatever it is made of
 * **Fails** with `DuplicateExpectation` when a call of one of its names still runs
 *
 * @since 0.1.0
 * @category running
 */
export const registerExpectation = (server: ExpectationTarget, expectation: ScriptedExpectation): ExpectationHandle => {
  const made: Array<ExpectationHandle> = []
  try {
    for (const name of timedNames(expectation)) made.push(registerOnce(server, expectation, name))
  } catch (error) {
    for (const handle of made) handle.retire()
    throw error
  }
  const [only] = made
  return expectation.times === null && only !== undefined ? only : makeGroupHandle(expectation.name, made)
}

const registerOnce = (server: ExpectationTarget, { answer }: ScriptedExpectation, name: string): ExpectationHandle => {
  switch (answer.kind) {
    case "response":
      return server.expectResponse(name, answer.matcher, answer.response, { barriers: answer.barriers })
    case "attempts":
      return server.expectAttempts(name, answer.matcher, answer.responses)
    case "anyOf":
      return server.expectAny(name, answer.alternatives)
  }
}

/** A handle taken apart into those of single expectations, in order of registration. */
export const singleHandles = (handle: ExpectationHandle): ReadonlyArray<ExpectationHandle> =>
  isGroup(handle) ? handle.members.flatMap(singleHandles) : [handle]

const isGroup = (handle: ExpectationHandle): handle is GroupHandle => "members" in handle
