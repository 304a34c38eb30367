import { AgentError } from "../../domain/harness-errors.ts"
import { UnsupportedControl } from "../../domain/harness-scope-errors.ts"
import { checkOption, having, someText } from "../../domain/option-checks.ts"
import { initializeMs, loadSessionMs, promptMs, shortCallMs } from "../../domain/session-limits.ts"
import { customMethod } from "../../wire/acp/custom-method.ts"
import { notificationLine } from "../../wire/acp/write-line.ts"
import type { ModelSelection } from "../profile/agent-profile.ts"
import type { AgentSession, NewSession, PromptReply } from "./agent-session.ts"
import { sendable } from "./call-book.ts"
import type { JsonRecord } from "./json-record.ts"
import { callAgent, callForRecord, type Operation, shakeHands } from "./session-calls.ts"
import { brokenResult, type SessionActor } from "./session-core.ts"
import type { SessionTimes } from "./session-options.ts"
import type { WaitOptions } from "./wait-options.ts"

type Operations = Pick<
  AgentSession,
  | "initialize"
  | "createSession"
  | "createSessionWithModel"
  | "loadSession"
  | "resumeSession"
  | "listSessions"
  | "closeSession"
  | "deleteSession"
  | "setModel"
  | "setMode"
  | "setConfigOption"
  | "prompt"
  | "promptBlocks"
  | "cancel"
  | "extMethod"
  | "request"
  | "notify"
>

/**
 * What a session can ask of its agent.
 *
 * **Source** agent-harness.md, section 2.4
 *
 * @since 0.1.0
 * @category sessions
 */
export const sessionOperations = (session: SessionActor): Operations => {
  const { times = usualTimes } = session.data.parts
  const short = (method: string, params: JsonRecord, options: WaitOptions | undefined): Promise<JsonRecord> =>
    callForRecord(session, { method, params, options, defaultMs: shortCallMs })

  const newSession = async (params: JsonRecord, rest: Pick<Operation, "options" | "what">): Promise<NewSession> => {
    const operation = { method: "session/new", params, defaultMs: times.newSessionMs, timed: "session/new", ...rest }
    const result = await callForRecord(session, operation)
    const { sessionId } = result
    if (typeof sessionId === "string" && sessionId !== "") return { sessionId, result }
    throw brokenResult(session.data, "a new session has an id", result)
  }

  const promptBlocks: AgentSession["promptBlocks"] = (sessionId, prompt, options) =>
    asValue(async (): Promise<PromptReply> => {
      const params = { sessionId, prompt }
      const operation = {
        method: "session/prompt",
        what: "prompt",
        params,
        options,
        defaultMs: times.promptMs,
        timed: "prompt"
      }
      const result = await callForRecord(session, operation)
      const { stopReason } = result
      if (typeof stopReason === "string") return { ok: true, stopReason, result }
      throw brokenResult(session.data, "a turn has a stop reason", result)
    })

  const request: AgentSession["request"] = (method, params, options) =>
    callAgent(session, { method, params, options, defaultMs: null })

  const notify: AgentSession["notify"] = (method, params) => {
    checkOption(someText, method, "the method")
    const text = sendable(method, () => notificationLine(method, params))
    session.data.wire.send({ text, failed: () => {} })
  }

  return {
    initialize: (options = {}) => shakeHands(session, { ...options, defaultMs: times.initializeMs }),
    createSession: (cwd, options) => newSession({ cwd, mcpServers: [] }, { options }),
    createSessionWithModel: async (cwd, model, options) =>
      newSession(
        { cwd, mcpServers: [], _meta: { [modelKey(session)]: model } },
        { what: `session/new with modelId=${String(model)}`, options }
      ),
    loadSession: (sessionId, cwd, options) =>
      callForRecord(session, {
        method: "session/load",
        params: { sessionId, cwd, mcpServers: [] },
        options,
        defaultMs: loadSessionMs
      }),
    resumeSession: (sessionId, cwd, options) => short("session/resume", { sessionId, cwd, mcpServers: [] }, options),
    listSessions: (params = {}, options) => short("session/list", params, options),
    closeSession: (sessionId, options) => short("session/close", { sessionId }, options),
    deleteSession: (sessionId, options) => short("session/delete", { sessionId }, options),
    setModel: (sessionId, model, options) =>
      asValue(async () => {
        const what = `session/set_model(${String(model)})`
        const operation = { ...modelCall(session, { sessionId, model }), what, options, defaultMs: shortCallMs }
        return { ok: true, result: await callForRecord(session, operation) }
      }),
    setMode: (sessionId, modeId, options) => short("session/set_mode", { sessionId, modeId }, options),
    async setConfigOption(sessionId, option, options) {
      checkOption(having({ configId: someText }), option, "the option")
      const { configId, value } = option
      return short("session/set_config_option", { sessionId, configId, value }, options)
    },
    prompt: (sessionId, text, options) => promptBlocks(sessionId, [{ type: "text", text }], options),
    promptBlocks,
    cancel(sessionId) {
      notify("session/cancel", { sessionId })
      session.data.desk.cancelHeld(sessionId)
    },
    async extMethod(name, params, options) {
      checkOption(someText, name, "the method")
      return request(customMethod(name), params, options)
    },
    request,
    notify
  }
}

const usualTimes: SessionTimes = { initializeMs, newSessionMs: shortCallMs, promptMs }

/** **Fails** with `UnsupportedControl` where the model is a variable that the agent starts with */
const modelSelectionOf = ({ data }: SessionActor): ModelSelection => {
  const { modelSelection } = data.parts.acp
  if (typeof modelSelection !== "object" || !("env" in modelSelection)) return modelSelection
  throw new UnsupportedControl(
    `the agent takes its model from the variable ${modelSelection.env} when it starts; start it with the option model`
  )
}

/** What the model of a new session is called in its `_meta`. */
const modelKey = (session: SessionActor): string => {
  const modelSelection = modelSelectionOf(session)
  return typeof modelSelection === "object" && "newSessionMeta" in modelSelection
    ? modelSelection.newSessionMeta
    : "modelId"
}

/** How the model of a session is changed, as the profile says; `session/set_model` where it says nothing. */
const modelCall = (
  session: SessionActor,
  { sessionId, model }: { readonly sessionId: string; readonly model: string }
): Pick<Operation, "method" | "params"> => {
  const modelSelection = modelSelectionOf(session)
  if (typeof modelSelection === "object" && "configOption" in modelSelection) {
    const params = { sessionId, configId: modelSelection.configOption, value: model }
    return { method: "session/set_config_option", params }
  }
  const isMethod = typeof modelSelection === "object" && "method" in modelSelection
  return { method: isMethod ? modelSelection.method : "session/set_model", params: { sessionId, modelId: model } }
}

/** Gives an error of the agent as a value. */
const asValue = async <A>(work: () => Promise<A>): Promise<A | { readonly ok: false; readonly error: AgentError }> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AgentError) return { ok: false, error }
    throw error
  }
}
