import { isRecord, member } from "../../domain/json.ts"
import { lineContent } from "../../wire/acp/line-content.ts"
import { memberToken, withMemberToken } from "../../wire/acp/member-token.ts"
import { idKey } from "../../wire/acp/request-id.ts"
import { requestLine } from "../../wire/acp/write-line.ts"

/** A request that is said again to a new leader. */
export interface Replay {
  readonly id: string
  readonly line: string
  /** The session that it opens; `null` for `initialize`. */
  readonly sessionId: string | null
}

/**
 * What a client knows of its conversation with a leader that is gone.
 *
 * **Source** agent-harness.md, section 5.1, "Reconnect"
 *
 * @since 0.1.0
 * @category models
 */
export interface ClientMemory {
  /** A line went to the leader. */
  sent(line: string): void
  /** A line came from it. */
  received(line: string): void
  /** The leader is gone, and with it what it was asked. */
  lost(): void
  /** What is to be said again: `initialize`, then `session/load` of every open session in the order in which they were opened. */
  replays(): ReadonlyArray<Replay>
}

interface OpenCall {
  readonly method: string
  readonly params: unknown
}

/** @since 0.1.0 @category constructors */
export const makeClientMemory = (): ClientMemory => {
  /** Calls that change what is open, by id. */
  const calls = new Map<string, OpenCall>()
  /** The parameters of a `session/load`, by session. */
  const sessions = new Map<string, unknown>()
  let initialize: string | null = null
  let made = 0

  const nextId = (): string => `leader-replay-${++made}`
  const settle = ({ method, params }: OpenCall, result: unknown): void => {
    const sessionId = member(method === "session/new" ? result : params, "sessionId")
    if (typeof sessionId !== "string") return
    if (closing.has(method)) sessions.delete(sessionId)
    else sessions.set(sessionId, { ...(isRecord(params) ? params : {}), sessionId })
  }
  return {
    sent(line) {
      const content = lineContent(line)
      if (content.kind !== "request") return
      const { method, params, idToken } = content
      if (method === "initialize") initialize = line
      if (method !== null && (opening.has(method) || closing.has(method))) calls.set(idKey(idToken), { method, params })
    },
    received(line) {
      const content = lineContent(line)
      const key = content.kind === "response" ? idKey(memberToken(line, "id") ?? "null") : ""
      const call = calls.get(key)
      if (call === undefined || content.kind !== "response") return
      calls.delete(key)
      if (content.outcome.kind === "result") settle(call, content.outcome.result)
    },
    lost: () => calls.clear(),
    replays() {
      const loads = [...sessions].map(([sessionId, params]): Replay => {
        const id = nextId()
        return { id, sessionId, line: requestLine(id, "session/load", params) }
      })
      if (initialize === null) return loads
      const id = nextId()
      return [{ id, sessionId: null, line: withMemberToken(initialize, "id", JSON.stringify(id)) }, ...loads]
    }
  }
}

const opening = new Set(["session/new", "session/load", "session/resume"])
const closing = new Set(["session/close", "session/delete"])
