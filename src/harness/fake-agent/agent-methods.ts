import { isRecord, member } from "../../domain/json.ts"
import type { RpcError } from "../../wire/acp/line-content.ts"
import { type AgentSessionState, type AgentSessions, defaultModel, modes } from "./agent-sessions.ts"
import type { Answer } from "./response-lines.ts"
import type { FakeAgentScript } from "./script.ts"

/** What the answer to a request depends on. */
export interface AgentState {
  readonly script: FakeAgentScript
  readonly version: string
  readonly sessions: AgentSessions
  isAuthenticated: boolean
}

/** A change of a session that the client is told before the answer. */
export interface SessionUpdate {
  readonly sessionId: string
  readonly update: Readonly<Record<string, unknown>>
}

export interface MethodOutcome {
  readonly updates?: ReadonlyArray<SessionUpdate>
  readonly answer: Answer
}

/**
 * Answers every request but a prompt, at once.
 *
 * **Source** agent-harness.md, section 2.1
 *
 * @since 0.1.0
 * @category models
 */
export const answerMethod = (state: AgentState, method: string, params: unknown): MethodOutcome => {
  if (Object.hasOwn(methods, method)) return methods[method]?.(state, params) ?? unknownMethod(method)
  // What a custom method was asked with comes back, one level down as from a real agent.
  return method.startsWith("_") ? ok({ result: { method, params: params ?? null } }) : unknownMethod(method)
}

/** The session that a request is about, or the refusal of a request without one. */
export const sessionOf = (
  { sessions, script, isAuthenticated }: AgentState,
  params: unknown
): { readonly session: AgentSessionState } | { readonly refusal: MethodOutcome } => {
  if (script.requiresAuth && !isAuthenticated) return { refusal: refused(authRequired) }
  const id = member(params, "sessionId")
  if (typeof id !== "string") return { refusal: invalid("sessionId must be a string") }
  const session = sessions.find(id)
  return session === null
    ? { refusal: refused({ code: -32002, message: `no session "${id}"`, data: { sessionId: id } }) }
    : { session }
}

const authRequired: RpcError = { code: -32000, message: "authentication required", data: undefined }

const ok = (result: unknown, updates: ReadonlyArray<SessionUpdate> = []): MethodOutcome => ({
  answer: { kind: "result", result },
  updates
})
const refused = (error: RpcError): MethodOutcome => ({ answer: { kind: "error", error } })
const invalid = (message: string): MethodOutcome => refused({ code: -32602, message, data: undefined })
const unknownMethod = (method: string): MethodOutcome =>
  refused({ code: -32601, message: "method not found", data: { method } })

type Method = (state: AgentState, params: unknown) => MethodOutcome

/** A method that is about one session. */
const inSession =
  (act: (state: AgentState, session: AgentSessionState, params: unknown) => MethodOutcome): Method =>
  (state, params) => {
    const found = sessionOf(state, params)
    return "session" in found ? act(state, found.session, params) : found.refusal
  }

const initialize: Method = ({ script, version }) =>
  ok({
    protocolVersion: script.protocolVersion,
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: false, audio: false, embeddedContext: false },
      sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {} }
    },
    agentInfo: { name: "understudy-fake-agent", title: "understudy fake agent", version },
    authMethods: script.authMethods.map((id) => ({ id, name: id, description: null }))
  })

const authenticate: Method = (state, params) => {
  const id = member(params, "methodId")
  if (typeof id !== "string" || !state.script.authMethods.includes(id)) {
    return invalid(`methodId must be one of ${state.script.authMethods.join(", ")}`)
  }
  state.isAuthenticated = true
  return ok({})
}

const newSession: Method = (state, params) => {
  if (state.script.requiresAuth && !state.isAuthenticated) return refused(authRequired)
  const cwd = member(params, "cwd")
  if (typeof cwd !== "string") return invalid("cwd must be a string")
  const asked = member(member(params, "_meta"), "modelId")
  const session = state.sessions.create(cwd, typeof asked === "string" ? asked : defaultModel)
  return ok({ sessionId: session.id, ...settingsOf(session) })
}

/** What can be set of a session, and what it is set to. */
const settingsOf = ({ mode, model }: AgentSessionState) => ({
  modes: { currentModeId: mode, availableModes: modes.map((id) => ({ id, name: id })) },
  configOptions: [
    {
      id: "model",
      name: "Model",
      category: "model",
      type: "select",
      currentValue: model,
      options: [...new Set([defaultModel, model])].map((value) => ({ value, name: value }))
    }
  ]
})

/** Says again what was said in a session. */
const loadSession = inSession((_, session) => {
  const updates = session.messages.map(({ role, text }) => ({
    sessionId: session.id,
    update: {
      sessionUpdate: role === "user" ? "user_message_chunk" : "agent_message_chunk",
      content: { type: "text", text }
    }
  }))
  return ok(settingsOf(session), updates)
})

const listSessions: Method = ({ sessions }, params) => {
  const cwd = member(params, "cwd")
  const found = sessions.all().filter((session) => typeof cwd !== "string" || session.cwd === cwd)
  return ok({ sessions: found.map(({ id, cwd }) => ({ sessionId: id, cwd })) })
}

const deleteSession = inSession(({ sessions }, { id }) => {
  sessions.remove(id)
  return ok({})
})

const setMode = inSession(({ sessions }, { id }, params) => {
  const mode = modes.find((known) => known === member(params, "modeId"))
  if (mode === undefined) return invalid(`modeId must be one of ${modes.join(", ")}`)
  sessions.change(id, { mode })
  return ok({}, [{ sessionId: id, update: { sessionUpdate: "current_mode_update", currentModeId: mode } }])
})

const setModel = inSession(({ sessions }, { id }, params) => {
  const model = member(params, "modelId")
  if (typeof model !== "string") return invalid("modelId must be a string")
  sessions.change(id, { model })
  return ok({})
})

const setConfigOption = inSession(({ sessions }, session, params) => {
  const model = member(params, "value")
  if (member(params, "configId") !== "model") return invalid('configId must be "model"')
  if (typeof model !== "string") return invalid("value must be a string")
  sessions.change(session.id, { model })
  return ok({ configOptions: settingsOf({ ...session, model }).configOptions })
})

const methods: Readonly<Record<string, Method>> = {
  initialize,
  authenticate,
  logout(state) {
    state.isAuthenticated = false
    return ok({})
  },
  "session/new": newSession,
  "session/load": loadSession,
  "session/resume": inSession((_, session) => ok(settingsOf(session))),
  "session/list": listSessions,
  "session/delete": deleteSession,
  "session/close": inSession(() => ok({})),
  "session/set_mode": setMode,
  "session/set_model": setModel,
  "session/set_config_option": setConfigOption
}

/** The text of a prompt: its text blocks, one behind the other; `null` when it is no list of blocks. */
export const promptText = (params: unknown): string | null => {
  const blocks = member(params, "prompt")
  if (!Array.isArray(blocks)) return null
  return blocks
    .filter(isRecord)
    .map((block) => (block["type"] === "text" && typeof block["text"] === "string" ? block["text"] : ""))
    .join("")
}
