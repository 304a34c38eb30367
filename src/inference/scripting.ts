import { checkScript } from "../domain/check-script.ts"
import { endpointPaths } from "../domain/endpoint.ts"
import { InvalidScript } from "../domain/errors.ts"
import { makeFifo } from "../domain/fifo.ts"
import { describe, isRecord } from "../domain/json.ts"
import { wireResponse } from "../serving/scripted-plan.ts"
import { checkTimes } from "./check-options.ts"
import type { ExpectationScript } from "./expectation-book.ts"
import type { ExpectationHandle } from "./expectation-handle.ts"
import type { InferenceCore } from "./inference-core.ts"
import { makeGroupHandle } from "./make-group-handle.ts"
import { makeHandle, type ServerEnd } from "./make-handle.ts"
import type { MockInferenceServer } from "./server-api.ts"

const inferencePaths: ReadonlyArray<string> = Object.values(endpointPaths)

/** What registers scripted answers. @since 0.1.0 @category constructors */
export const scripting = (
  core: InferenceCore,
  end: ServerEnd
): Pick<
  MockInferenceServer,
  "expectResponse" | "expectResponseBlocked" | "expectAny" | "expectAttempts" | "enqueueResponse"
> => {
  const registerAll = (
    scripts: ReadonlyArray<ExpectationScript>,
    group?: { readonly isAlternatives?: boolean; readonly areAttempts?: boolean }
  ): ReadonlyArray<ExpectationHandle> => {
    const registered = core.book.register(scripts, group)
    if (group?.areAttempts === true || scripts.some(isAboutAttempt)) core.attempts.turnOn()
    return registered.map((expectation) => makeHandle(expectation, end))
  }
  const register = (script: ExpectationScript): ExpectationHandle => {
    const [handle] = registerAll([script])
    if (handle === undefined) throw new Error("one script gives one handle")
    return handle
  }
  return {
    expectResponse(name, matcher, response, { barriers = [], times } = {}) {
      if (times === undefined) return register({ name, matcher, response, barriers })
      checkTimes(times)
      checkGroupName(name)
      const members = Array.from({ length: times }, (_, index) => ({
        name: `${name}#${index + 1}`,
        matcher,
        response,
        barriers
      }))
      return makeGroupHandle(name, registerAll(members))
    },
    expectResponseBlocked: (name, matcher, response) =>
      register({ name, matcher, response, barriers: [{ at: "terminal" }] }),
    expectAny(name, alternatives) {
      checkMembers(`expectAny(${describe(name)})`, alternatives, "alternatives { matcher, response }")
      checkGroupName(name)
      const members = alternatives.map(({ matcher, response, barriers = [] }, index) => ({
        name: `${name}#${index + 1}`,
        matcher,
        response,
        barriers
      }))
      return makeGroupHandle(name, registerAll(members, { isAlternatives: true }))
    },
    expectAttempts(name, matcher, responses) {
      checkMembers(`expectAttempts(${describe(name)})`, responses, "responses, one for each try")
      checkGroupName(name)
      const members = responses.map((response, index) => ({
        name: `${name}#${index + 1}`,
        matcher,
        response,
        barriers: []
      }))
      return makeGroupHandle(name, registerAll(members, { areAttempts: true }))
    },
    enqueueResponse(path, response) {
      if (response?.body?.kind === "fault" && !inferencePaths.includes(path)) {
        throw new InvalidScript(
          `a fault answers inference requests, and ${path} is none of ${inferencePaths.join(", ")}`
        )
      }
      const ready = wireResponse(checkScript(response), core.state.profile)
      const queue = core.state.queues.get(path)
      if (queue === undefined) core.state.queues.set(path, makeFifo([ready]))
      else queue.push(ready)
    }
  }
}

const isAboutAttempt = ({ matcher }: ExpectationScript): boolean =>
  (matcher.conditions ?? []).some((condition) => condition.isAboutAttempt === true)

/** Its members have names that are made of it. */
const checkGroupName = (name: unknown): void => {
  if (typeof name !== "string") throw new InvalidScript(`an expectation is named ${describe(name)}; use a text`)
}

/** A group of nothing would never be satisfied. */
const checkMembers = (call: string, members: ReadonlyArray<unknown>, wanted: string): void => {
  if (!Array.isArray(members)) throw new InvalidScript(`${call} is given ${describe(members)}; use a list of ${wanted}`)
  if (members.length === 0) throw new InvalidScript(`${call} is given an empty list; give one or more ${wanted}`)
  const stray = members.findIndex((member) => !isRecord(member))
  if (stray < 0) return
  throw new InvalidScript(`${call}: member ${stray + 1} is ${describe(members[stray])}; use a list of ${wanted}`)
}
