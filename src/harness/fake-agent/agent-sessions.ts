import { isRecord, member } from "../../domain/json.ts"
import type { ChatMessage, TextStore } from "../../ports/agent-surroundings.ts"

/** A conversation that a fake agent keeps. */
export interface AgentSessionState {
  readonly id: string
  readonly cwd: string
  readonly messages: ReadonlyArray<ChatMessage>
  readonly mode: string
  readonly model: string
}

/**
 * The sessions of a fake agent; every change is stored before it is answered.
 *
 * @since 0.1.0
 * @category services
 */
export interface AgentSessions {
  create(cwd: string, model: string): AgentSessionState
  find(id: string): AgentSessionState | null
  change(id: string, change: Partial<Omit<AgentSessionState, "id">>): void
  remove(id: string): void
  /** In the order of their making. */
  all(): ReadonlyArray<AgentSessionState>
}

export const modes = ["default", "plan"] as const
export const defaultModel = "fake-model"

/** @since 0.1.0 @category constructors */
export const makeAgentSessions = (store: TextStore): AgentSessions => {
  const sessions = new Map<string, AgentSessionState>()
  let made = 0
  for (const { name, text } of store.all()) {
    const session = sessionIn(text)
    if (session === null || fileOf(session.id) !== name) continue
    sessions.set(session.id, session)
    made = Math.max(made, numberIn(session.id))
  }
  const keep = (session: AgentSessionState): AgentSessionState => {
    sessions.set(session.id, session)
    store.save(fileOf(session.id), `${JSON.stringify(session)}\n`)
    return session
  }
  return {
    create: (cwd, model) => keep({ id: `session-${++made}`, cwd, messages: [], mode: modes[0], model }),
    find: (id) => sessions.get(id) ?? null,
    change(id, change) {
      const session = sessions.get(id)
      if (session !== undefined) keep({ ...session, ...change })
    },
    remove(id) {
      if (sessions.delete(id)) store.remove(fileOf(id))
    },
    all: () => [...sessions.values()].sort((left, right) => numberIn(left.id) - numberIn(right.id))
  }
}

const fileOf = (id: string): string => `${id}.json`

const numberIn = (id: string): number => Number(/^session-(\d+)$/.exec(id)?.[1] ?? 0)

/** `null` for what we did not write, as a file that was cut by a crash. */
const sessionIn = (text: string): AgentSessionState | null => {
  const value = parsed(text)
  const [id, cwd, mode, model] = ["id", "cwd", "mode", "model"].map((name) => member(value, name))
  const messages = member(value, "messages")
  if (typeof id !== "string" || numberIn(id) === 0 || typeof cwd !== "string") return null
  if (typeof mode !== "string" || typeof model !== "string" || !Array.isArray(messages)) return null
  return { id, cwd, mode, model, messages: messages.filter(isMessage) }
}

const isMessage = (value: unknown): value is ChatMessage =>
  isRecord(value) && (value["role"] === "user" || value["role"] === "assistant") && typeof value["text"] === "string"

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
