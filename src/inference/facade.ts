import { callingPlace } from "../domain/calling-place.ts"
import { drainMsDefault } from "../domain/durations.ts"
import { endpointPaths } from "../domain/endpoint.ts"
import { InvalidScript } from "../domain/errors.ts"
import { makeFifo } from "../domain/fifo.ts"
import { HeldCallsCut } from "../domain/held-calls-cut.ts"
import { describe, jsonText } from "../domain/json.ts"
import { copyModel } from "../domain/model-entry.ts"
import type { Trace } from "../kernel/trace.ts"
import type { ListenAddress } from "../ports/http-port.ts"
import type { ServedApp } from "../serving/http-app.ts"
import type { Listener } from "../serving/listener.ts"
import type { ServerClock } from "../serving/server-clock.ts"
import { checkDelay, checkDrain, checkList, checkServerOptions, checkText } from "./check-options.ts"
import { makeClosing } from "./closing.ts"
import { describeCopy } from "./describe-copy.ts"
import type { InferenceCore } from "./inference-core.ts"
import { lastSystemPrompt, logSummary } from "./log-views.ts"
import { scripting } from "./scripting.ts"
import type { MockInferenceServer, ServerControls } from "./server-api.ts"
import { gatherCalls, takeNext } from "./take-calls.ts"
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
  /** Of these, what waited for the test. */
  const cut: Array<string> = []
  const closing = makeClosing()
  const taking = { takers: core.takers, attempts: core.attempts, trace, end: closing.end }
  const controls: ServerControls = {
    ...scripting(core, closing.end),
    ...setters(core),
    ...views(core),
    next: function next(filter = {}) {
      return takeNext(taking, filter, askedAt(next))
    },
    gather: function gather(count, filter = {}) {
      return gatherCalls(taking, { count, filter, askedAt: askedAt(gather) })
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
        if (cut.length > 0) throw new HeldCallsCut(cut)
      }
    }),
    noteBlocked() {
      const copies = [...app.copies()]
      blocked.push(...copies.map(describeCopy))
      // Whether a copy waits for the test is known of its call: one whose client does not read waits for that as well.
      const owed = core.takers.owed()
      cut.push(...copies.filter((copy) => owed.has(copy)).map(describeCopy))
    },
    closed() {
      trace.record({ type: "closed", blocked })
      closing.close()
    }
  }
}

const askedAt = (below: (...given: never) => unknown): string => callingPlace(below) ?? "an unknown place"

const addressOf = ({ host, port }: ListenAddress): Pick<MockInferenceServer, "origin" | "url"> => {
  const origin = `http://${host.includes(":") ? `[${host}]` : host}:${port}`
  return { origin: () => origin, url: () => `${origin}/v1` }
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
      checkServerOptions({ strict })
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
