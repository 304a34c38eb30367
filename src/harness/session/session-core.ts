import type { agentSessionMachine } from "../../../machines/agent-session.machine.ts"
import { exitStatusText } from "../../domain/exit-status.ts"
import { AgentClosed, ProtocolViolation } from "../../domain/harness-errors.ts"
import { shownStderrMax } from "../../domain/session-limits.ts"
import type { Actor } from "../../supervisor/supervisor.ts"
import { stderrTail } from "../headless/headless-assertions.ts"
import type { StdioWire } from "../wire/stdio-wire.ts"
import type { CallBook } from "./call-book.ts"
import type { CapturedUpdate, FilledCaptures } from "./captures.ts"
import type { Handshake } from "./handshake.ts"
import type { HeldPermission } from "./held-permission.ts"
import type { PermissionDesk } from "./permission-desk.ts"
import type { RequestBook } from "./request-book.ts"
import type { RequestHandler } from "./session-behaviour.ts"
import type { SessionParts, SessionWorld } from "./session-options.ts"
import type { Waiters } from "./update-waiters.ts"
import type { FilledRecords } from "./wire-records.ts"

/** Everything that a session has; its performers and operations work with it. */
export interface SessionCore {
  readonly world: SessionWorld
  readonly parts: SessionParts
  readonly wire: StdioWire
  readonly calls: CallBook
  readonly requests: RequestBook
  readonly captures: FilledCaptures
  readonly records: FilledRecords
  readonly desk: PermissionDesk
  readonly handlers: Map<string, RequestHandler>
  readonly updates: Waiters<CapturedUpdate>
  readonly permissions: Waiters<HeldPermission>
  /** The handshake that is under way, or was. */
  handshake: Handshake | null
  /** What ended the session before its time. */
  failure: Error | null
  /** Whether the test asked for the end. */
  isClosedByTest: boolean
  /** What the next operation that is awaited fails with: the agent cannot swallow it. */
  readonly faults: Array<Error>
  /** What went wrong at the end. */
  readonly problems: Array<Error>
  readonly closed: () => void
}

export type SessionActor = Actor<typeof agentSessionMachine, SessionCore>

/** What calls and waits fail with when the session has ended. @since 0.1.0 @category errors */
export const endError = ({ failure, isClosedByTest, parts }: SessionCore): Error => {
  if (failure !== null) return failure
  const { process, shown } = parts
  const { label, status } = process
  const how = status === undefined ? "has closed its output" : `has ended with ${exitStatusText(status)}`
  const what = isClosedByTest ? `the session of ${label} was closed` : `${label} ${how}`
  const words = stderrTail(shown(process.stderr.text()), shownStderrMax)
  const message = words === "" ? what : `${what}; the end of its stderr:\n${words}`
  return new AgentClosed(message, { status: status ?? null, diagnostics: process.diagnostics() })
}

/** An answer of the agent that is not what it has to be. */
export const brokenResult = ({ parts }: SessionCore, rule: string, result: unknown): ProtocolViolation => {
  const line = parts.shown(JSON.stringify(result) ?? "undefined")
  return new ProtocolViolation(rule, { line, diagnostics: parts.process.diagnostics() })
}

/** Gives what was awaited, unless something went wrong in the meantime that nobody was told of. */
export const orFault = async <A>(core: SessionCore, awaited: Promise<A>): Promise<A> => {
  try {
    const value = await awaited
    const fault = core.faults.shift()
    if (fault === undefined) return value
    throw fault
  } catch (error) {
    throw core.faults.shift() ?? error
  }
}

/** Fails for good: what waits fails with this, and the process is closed. */
export const failSession = (session: SessionActor, error: Error): void => {
  const core = session.data
  if (core.failure !== null || session.snapshot.status !== "active") return
  core.failure = error
  core.faults.push(error)
  core.world.supervisor.deliver(session, { type: "failed" })
}
