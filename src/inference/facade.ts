import { checkScript } from "../domain/check-script.ts"
import { drainMsDefault } from "../domain/durations.ts"
import { endpointPaths } from "../domain/endpoint.ts"
import { InvalidScript } from "../domain/errors.ts"
import { makeFifo } from "../domain/fifo.ts"
import { describe, jsonText } from "../domain/json.ts"
import { copyModel } from "../domain/model-entry.ts"
import type { Trace } from "../kernel/trace.ts"
import type { ListenAddress } from "../ports/http-port.ts"
import { type Copy, nextStep } from "../serving/copy.ts"
import type { ServedApp } from "../serving/http-app.ts"
import type { Listener } from "../serving/listener.ts"
import { wireResponse } from "../serving/scripted-plan.ts"
import { checkDelay, checkDrain, checkList, checkServerOptions, checkText, checkTimes } from "./check-options.ts"
import type { ExpectationScript } from "./expectation-book.ts"
import type { ExpectationHandle } from "./expectation-handle.ts"
import type { InferenceCore } from "./inference-core.ts"
import { lastSystemPrompt, logSummary } from "./log-views.ts"
import { makeGroupHandle } from "./make-group-handle.ts"
import { makeHandle, type ServerEnd } from "./make-handle.ts"
import type { MockInferenceServer, ServerClock, ServerControls } from "./server-api.ts"
import { callerOf, gatherCalls, takeNext } from "./take-calls.ts"
import { traceStream } from "./trace-stream.ts"
import { verify } from "./verify.ts"
import { waitForRequest } from "./wait-for-request.ts"

/** The public face of a server, and what its lifecycle tells it. */
export interface Facade {
  /** Everything that needs no port. */
  readonly controls: ServerControls
  open(address: ListenAddress, listener: Listener): MockInferenceServer
  /** The rest is about to be cut: remember what it was. */
  noteBlocked(): void
  closed(): void
}

/** @since 0.1.0 @category constructors */
export const makeFacade = (parts: {
  readonly core: InferenceCore
  readonly app: ServedApp
  readonly trace: Trace
  readonly clock: ServerClock
}): Facade => {
  const { core, app, trace } = parts
  const blocked: Array<string> = []
  const closing = makeClosing()
  const controls: ServerControls = {
    ...scripting(core, closing.end),
    ...setters(core),
    ...views(core),
    next: function next(filter = {}) {
      return takeNext({ takers: core.takers, end: closing.end }, filter, callerOf(next))
    },
    gather: function gather(count, filter = {}) {
      checkTimes(count)
      return gatherCalls({ takers: core.takers, end: closing.end }, { count, filter, askedAt: callerOf(gather) })
    },
    clock: parts.clock,
    verify: () => verify(core),
    waitForRequest: (accepts) => waitForRequest({ log: core.log, end: closing.end }, accepts),
    traceStream: () => traceStream(trace, closing.end),
    traceEvents: () => trace.events(),
    watchTrace: (see) => trace.watch(see)
  }
  return {
    controls,
    open: (address, listener) => ({
      ...addressOf(address),
      ...controls,
      async close({ drainMs = drainMsDefault } = {}) {
        checkDrain(drainMs)
        listener.close(drainMs)
        await closing.done
        return { blocked }
      },
      async [Symbol.asyncDispose]() {
        await this.close()
      }
    }),
    noteBlocked: () => blocked.push(...[...app.copies()].map(describeCopy)),
    closed() {
      trace.record({ type: "closed", blocked })
      closing.close()
    }
  }
}

/** Tells everybody once that the server has closed. */
const makeClosing = (): { readonly end: ServerEnd; readonly done: Promise<void>; close(): void } => {
  const told = new Set<() => void>()
  let isClosed = false
  let finish = (): void => {}
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  return {
    done,
    end: {
      isClosed: () => isClosed,
      onClosed(tell) {
        told.add(tell)
        return () => told.delete(tell)
      }
    },
    close() {
      isClosed = true
      for (const tell of [...told]) tell()
      finish()
    }
  }
}

const describeCopy = (copy: Copy): string => `${copy.data.watcher.what} ${standing(copy)}`

const standing = (copy: Copy): string => {
  if (copy.snapshot.value === "stalled") return "is stalled"
  if (copy.snapshot.state.endsWith(".starved")) return "waits for the test to say what comes next"
  const step = nextStep(copy)
  if (step?.kind === "barrier") return `waits at barrier \`${step.name}\``
  return step?.kind === "pause" ? `waits ${step.ms} ms before its next event` : "waits for its client to read"
}

const addressOf = ({ host, port }: ListenAddress): Pick<MockInferenceServer, "origin" | "url"> => {
  const origin = `http://${host.includes(":") ? `[${host}]` : host}:${port}`
  return { origin: () => origin, url: () => `${origin}/v1` }
}

const scripting = (
  core: InferenceCore,
  end: ServerEnd
): Pick<
  MockInferenceServer,
  "expectResponse" | "expectResponseBlocked" | "expectAny" | "expectAttempts" | "enqueueResponse"
> => {
  const registerAll = (
    scripts: ReadonlyArray<ExpectationScript>,
    group?: { readonly isAlternatives?: boolean; readonly areAttempts?: boolean }
  ): ReadonlyArray<ExpectationHandle> =>
    core.book.register(scripts, group).map((expectation) => makeHandle(expectation, end))
  const register = (script: ExpectationScript): ExpectationHandle => {
    const [handle] = registerAll([script])
    if (handle === undefined) throw new Error("one script gives one handle")
    return handle
  }
  return {
    expectResponse(name, matcher, response, { barriers = [], times } = {}) {
      if (times === undefined) return register({ name, matcher, response, barriers })
      checkTimes(times)
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
      const members = alternatives.map(({ matcher, response, barriers = [] }, index) => ({
        name: `${name}#${index + 1}`,
        matcher,
        response,
        barriers
      }))
      return makeGroupHandle(name, registerAll(members, { isAlternatives: true }))
    },
    expectAttempts(name, matcher, responses) {
      const members = responses.map((response, index) => ({
        name: `${name}#${index + 1}`,
        matcher,
        response,
        barriers: []
      }))
      const handles = registerAll(members, { areAttempts: true })
      core.attempts.turnOn()
      return makeGroupHandle(name, handles)
    },
    enqueueResponse(path, response) {
      const ready = wireResponse(checkScript(response), core.state.profile)
      const queue = core.state.queues.get(path)
      if (queue === undefined) core.state.queues.set(path, makeFifo([ready]))
      else queue.push(ready)
    }
  }
}

type Setters = Pick<
  MockInferenceServer,
  | "setResponse"
  | "setEcho"
  | "setProfile"
  | "setRequiredToken"
  | "setStrict"
  | "clearQueues"
  | "setAgentTurns"
  | "setChunkDelay"
  | "setMessagesStopReason"
  | "holdAgentCompletions"
  | "releaseAgentCompletions"
  | "setModels"
  | "setSettings"
  | "presetAllowAccess"
  | "setUserSubscriptionTier"
  | "setHang"
  | "setStorageUnauthorized"
  | "setKeepRequests"
>

const setters = ({ state, gate, log }: InferenceCore): Setters => {
  const setSettings = (value: unknown): void => {
    const text = jsonText(value)
    if (text === undefined)
      throw new InvalidScript(`settings are ${describe(value)}; use a JSON value, for example null`)
    state.settings = { value: JSON.parse(text) }
  }
  return {
    setResponse(text) {
      state.mode = { kind: "fixed", text: checkText("response", text) }
    },
    setEcho() {
      state.mode = { kind: "echo" }
    },
    setProfile(profile) {
      checkServerOptions({ profile })
      state.profile = profile
    },
    setRequiredToken(token) {
      checkServerOptions(token === null ? {} : { token })
      state.token = token
    },
    setStrict(strict) {
      state.isStrict = strict
    },
    clearQueues: () => state.queues.clear(),
    setAgentTurns(texts) {
      state.turns = makeFifo(checkList("agent turns", texts).map((text) => checkText("agent turn", text)))
    },
    setChunkDelay(ms) {
      checkDelay("chunk delay", ms)
      state.chunkDelayMs = ms
    },
    setMessagesStopReason(reason) {
      state.stopReason = checkText("stop reason", reason)
    },
    holdAgentCompletions: gate.hold,
    releaseAgentCompletions: gate.release,
    setModels(models) {
      state.models = checkList("models", models).map(copyModel)
    },
    setSettings,
    presetAllowAccess: () => setSettings({ allow_access: true }),
    setUserSubscriptionTier(tier) {
      state.tier = tier === null ? null : checkText("subscription tier", tier)
    },
    setHang(hang) {
      state.isHanging = hang
    },
    setStorageUnauthorized(unauthorized) {
      state.isStorageUnauthorized = unauthorized
    },
    setKeepRequests: log.setKeep
  }
}

type Views = Pick<
  MockInferenceServer,
  | "storageRequestCount"
  | "storageUploads"
  | "requests"
  | "requestBodies"
  | "requestCount"
  | "hasChatCompletionRequest"
  | "hasResponsesRequest"
  | "messagesRequestCount"
  | "lastSystemPrompt"
  | "requestLogSummary"
>

const views = ({ state, log }: InferenceCore): Views => {
  const countOf = (path: string): number => log.entries().filter((entry) => entry.path === path).length
  return {
    storageRequestCount: () => state.storageRequests,
    storageUploads: () => [...state.uploads],
    requests: () => log.entries(),
    requestBodies: () =>
      log
        .entries()
        .map((entry) => entry.body)
        .filter((body) => body !== undefined),
    requestCount: () => log.count(),
    hasChatCompletionRequest: () => countOf(endpointPaths.ChatCompletions) > 0,
    hasResponsesRequest: () => countOf(endpointPaths.Responses) > 0,
    messagesRequestCount: () => countOf(endpointPaths.Messages),
    lastSystemPrompt: () => lastSystemPrompt(log.entries()),
    requestLogSummary: () => logSummary(log.entries())
  }
}
