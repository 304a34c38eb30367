import { isHarnessError } from "../domain/harness-error.ts"
import type { AgentSession, PromptReply } from "../harness/session/agent-session.ts"
import type { PermissionRequest } from "../harness/session/permission-policy.ts"
import type { Clock } from "../kernel/clock.ts"
import { visibleText } from "../report/visible-text.ts"
import { saidBy } from "./agent-failure.ts"
import type { PermissionAnswerer } from "./agent-permissions.ts"
import type { AskedPermission, TurnResult } from "./agent-result.ts"
import type { AgentTell } from "./agent-tell.ts"
import { answeredWith, askedFor, readUpdates, type Said } from "./agent-updates.ts"
import { RunFailed } from "./command-io.ts"

/** The turns of a session, one after the other. */
export interface AgentTurns {
  /**
   * Says something to the agent, and tells what it does until the turn is over.
   *
   * **Takes** `limitMs`: after so long the turn is cancelled; `null` for never
   * **Gives** the turn as far as it came, and what was wrong with it
   * **Fails** never
   */
  say(prompt: string, limitMs: number | null): Promise<SaidTurn>
  /** Cancels the turn that runs; false when none does, or it was cancelled before. */
  interrupt(): boolean
  /** Rejects when the agent is gone. */
  readonly gone: Promise<never>
}

/** A turn that is over. */
export interface SaidTurn {
  readonly turn: TurnResult
  /** What was wrong with it; `null` for nothing, also when a person has cancelled it. */
  readonly problem: string | null
  /** What `AgentSession.prompt` failed with, after which nothing more can be said; `null` when it did not. */
  readonly failure: unknown
}

/** What a turn needs of the world. */
export interface TurnParts {
  readonly agent: AgentSession
  readonly sessionId: string
  readonly tell: AgentTell
  readonly answer: PermissionAnswerer
  readonly clock: Clock
  /** By how much waits for the agent are stretched. */
  readonly scale: () => number
  /** How many requests the mock has seen. */
  readonly requestCount: () => number
}

/** A turn that goes on. */
interface OpenTurn {
  readonly texts: Array<string>
  readonly notes: Array<string>
  readonly permissions: Array<AskedPermission>
  /** Ends with the turn. */
  readonly over: AbortController
  cancelledBy: "person" | "limit" | null
}

/** A turn that was cancelled has so long to end, before the timeout scale. */
const cancelMs = 5_000
/** So many notes and permissions of a turn are kept for its result. */
const keptMax = 1_000

/** @since 0.1.0 @category constructors */
export const makeAgentTurns = (parts: TurnParts): AgentTurns => {
  const { agent, sessionId, tell, answer, clock, scale, requestCount } = parts
  const reader = readUpdates()
  let open: OpenTurn | null = null
  let mark = agent.mark()

  const show = ({ kind, text }: Said): void => {
    if (kind === "words") {
      open?.texts.push(text)
      tell.words(text)
      return
    }
    if (open !== null && open.notes.length < keptMax) open.notes.push(text)
    tell.note(`  ${text}`)
  }
  /** Tells what has come. */
  const flush = (): void => {
    const news = agent.updatesSince(mark, sessionId)
    mark = agent.mark()
    for (const update of news) for (const said of reader.read(update)) show(said)
  }
  const follow = async (): Promise<never> => {
    for (;;) {
      await agent.waitForUpdate(() => true, { deadlineMs: null, since: mark })
      flush()
    }
  }
  const permission = async (request: PermissionRequest) => {
    flush()
    const turn = open
    const given = await answer(request, turn?.over.signal ?? AbortSignal.abort())
    const asked: AskedPermission = { asked: askedFor(request), answer: answeredWith(request, given) }
    if (turn !== null && turn.permissions.length < keptMax) turn.permissions.push(asked)
    tell.note(`  permission for ${asked.asked}: ${asked.answer}`)
    return given
  }
  const cancel = (turn: OpenTurn, by: "person" | "limit"): void => {
    turn.cancelledBy = by
    agent.cancel(sessionId)
    turn.over.abort()
  }

  agent.setPermissionPolicy({ custom: permission })
  const gone = follow()
  // Whoever waits for a line hears of it.
  gone.catch(() => {})

  return {
    gone,
    interrupt() {
      if (open === null || open.cancelledBy !== null) return false
      tell.note("  cancelling the turn; once more ends the session")
      cancel(open, "person")
      return true
    },
    async say(prompt, limitMs) {
      const startedAt = clock.now()
      const before = requestCount()
      const turn: OpenTurn = { texts: [], notes: [], permissions: [], over: new AbortController(), cancelledBy: null }
      open = turn
      const forget =
        limitMs === null ? () => {} : clock.arm(limitMs * scale(), "agent turn", () => cancel(turn, "limit"))
      const deadlineMs = limitMs === null ? null : limitMs + cancelMs
      const reply = await agent.prompt(sessionId, prompt, { deadlineMs }).catch((failure: unknown) => ({ failure }))
      forget()
      flush()
      for (const said of reader.rest()) show(said)
      open = null
      turn.over.abort()
      const failure = "failure" in reply ? failureOf(turn, { failure: reply.failure, limitMs }) : null
      const problem = "failure" in reply ? null : problemOf(turn, { reply, limitMs })
      const result: TurnResult = {
        prompt,
        ok: failure === null && problem === null && turn.cancelledBy === null,
        text: turn.texts.join(""),
        stopReason: "ok" in reply && reply.ok ? reply.stopReason : null,
        ms: clock.now() - startedAt,
        notes: turn.notes,
        permissions: turn.permissions,
        requests: requestCount() - before
      }
      if (failure === null) tell.note(turnLine(result))
      return { turn: result, problem, failure }
    }
  }
}

const turnLine = ({ stopReason, ms, requests }: TurnResult): string =>
  `  ${stopReason ?? "error"}, ${Math.round(ms)} ms, ${requests} ${requests === 1 ? "request" : "requests"}`

/** Who was cancelled at the limit and does not answer that either has not failed by our second limit, but by the first. */
const failureOf = (
  { cancelledBy }: OpenTurn,
  { failure, limitMs }: { readonly failure: unknown; readonly limitMs: number | null }
): unknown =>
  cancelledBy === "limit" && isHarnessError(failure, "RequestTimeout")
    ? new RunFailed(`the turn had not ended after ${limitMs} ms, and the agent does not let itself be cancelled`)
    : failure

const problemOf = (
  { cancelledBy }: OpenTurn,
  { reply, limitMs }: { readonly reply: PromptReply; readonly limitMs: number | null }
): string | null => {
  if (cancelledBy === "limit")
    return `the turn was cancelled, for it had not ended after ${limitMs} ms; --timeout gives another limit`
  if (cancelledBy === "person") return null
  if (!reply.ok) return saidBy(reply.error)
  return reply.stopReason === "end_turn" ? null : `the turn ended with ${visibleText(reply.stopReason)}`
}
