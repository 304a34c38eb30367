import type { CloseMode } from "../../domain/close-mode.ts"
import type { TerminationReason } from "../../domain/exit-status.ts"
import type { AgentError } from "../../domain/harness-errors.ts"
import type { WireLog } from "../wire/wire-log.ts"
import type { CapturedUpdate, Captures, WireMark } from "./captures.ts"
import type { HeldPermission, PermissionRecord } from "./held-permission.ts"
import type { JsonRecord } from "./json-record.ts"
import type { PermissionPolicy } from "./permission-policy.ts"
import type { RequestHandler } from "./session-behaviour.ts"
import type { WaitOptions } from "./wait-options.ts"
import type { WireRecords } from "./wire-records.ts"

/** A session that was made. */
export interface NewSession {
  readonly sessionId: string
  readonly result: JsonRecord
}

/** What came of a prompt. An error of the agent is a value here, for tests that want to see it. */
export type PromptReply =
  | { readonly ok: true; readonly stopReason: string; readonly result: JsonRecord }
  | { readonly ok: false; readonly error: AgentError }

/** What came of choosing a model. */
export type ModelReply =
  | { readonly ok: true; readonly result: JsonRecord }
  | { readonly ok: false; readonly error: AgentError }

/** How an agent ended. */
export interface SessionEnd {
  readonly exitCode: number | null
  readonly signal: string | null
  readonly reason: TerminationReason | null
  /** The ends of both streams, not made fit to be shown. */
  readonly stdoutTail: string
  readonly stderrTail: string
}

/**
 * An agent that is spoken to over ACP.
 *
 * Every operation that waits for the agent fails with `RequestTimeout` when its time is over, with `AgentClosed` as soon as the
 * agent has ended, and with `AgentError` when the agent says no; and with a mistake that was found in the meantime, such as
 * `PermissionScriptError` or, in a strict session, `ProtocolViolation`. When it settles, every line before its answer is captured.
 *
 * **Source** agent-harness.md, section 2
 *
 * @since 0.1.0
 * @category services
 */
export interface AgentSession extends Captures, WireRecords, AsyncDisposable {
  /**
   * Sends `initialize` and, as the profile says, `authenticate`; 20 s for both. Gives the result of `initialize`.
   *
   * **Fails** also with `UnsupportedControl` when the agent offers no way to authenticate that the profile has, and with
   * `ProtocolViolation` when it speaks another version and that was not allowed
   */
  initialize(options?: {
    readonly deadlineMs?: number | null
    readonly allowOtherVersion?: boolean
  }): Promise<JsonRecord>
  /** `session/new`; 20 s. **Fails** also with `ProtocolViolation` when the answer has no id. */
  createSession(cwd: string, options?: WaitOptions): Promise<NewSession>
  /**
   * The same with the model in `_meta`, under the name that the profile has for it, else `modelId`.
   *
   * **Fails** also with `UnsupportedControl` where the agent has to be started with its model
   */
  createSessionWithModel(cwd: string, model: string, options?: WaitOptions): Promise<NewSession>
  /** `session/load`; 60 s. What the agent replays is captured like anything else. */
  loadSession(sessionId: string, cwd: string, options?: WaitOptions): Promise<JsonRecord>
  resumeSession(sessionId: string, cwd: string, options?: WaitOptions): Promise<JsonRecord>
  listSessions(params?: JsonRecord, options?: WaitOptions): Promise<JsonRecord>
  closeSession(sessionId: string, options?: WaitOptions): Promise<JsonRecord>
  deleteSession(sessionId: string, options?: WaitOptions): Promise<JsonRecord>
  /** Changes the model as the profile says, else by `session/set_model`; 20 s. **Fails** as `createSessionWithModel` does */
  setModel(sessionId: string, model: string, options?: WaitOptions): Promise<ModelReply>
  setMode(sessionId: string, modeId: string, options?: WaitOptions): Promise<JsonRecord>
  setConfigOption(
    sessionId: string,
    option: { readonly configId: string; readonly value: unknown },
    options?: WaitOptions
  ): Promise<JsonRecord>
  /** `session/prompt` with one block of text; 30 s. */
  prompt(sessionId: string, text: string, options?: WaitOptions): Promise<PromptReply>
  promptBlocks(sessionId: string, blocks: ReadonlyArray<unknown>, options?: WaitOptions): Promise<PromptReply>
  /** The notification `session/cancel`. Permissions that the session is held for are answered with `cancelled`. */
  cancel(sessionId: string): void
  /** A custom method; the underscore before its name is added when it is not there. No deadline unless one is given. */
  extMethod(name: string, params: unknown, options?: WaitOptions): Promise<unknown>
  /** Any request, literally. No deadline unless one is given. */
  request(method: string, params: unknown, options?: WaitOptions): Promise<unknown>
  /** Any notification, literally. */
  notify(method: string, params?: unknown): void

  /** Answers requests of a method from now on. The function it gives ends that. */
  onRequest(method: string, handler: RequestHandler): () => void
  setPermissionPolicy(policy: PermissionPolicy): void
  /** Requests for permission and their answers, oldest first. */
  permissions(): ReadonlyArray<PermissionRecord>
  /** Those that wait for the test, oldest first. */
  heldPermissions(): ReadonlyArray<HeldPermission>
  /** The oldest one that waits, or the next that will; 30 s. **Fails** with `WaitTimeout` */
  nextPermission(options?: { readonly deadlineMs?: number | null }): Promise<HeldPermission>

  /**
   * The first update that matches: of those since the mark, or of those that come after this call.
   *
   * **Fails** with `WaitTimeout`, and with what the predicate throws
   */
  waitForUpdate(
    matches: (update: CapturedUpdate) => boolean,
    options: { readonly deadlineMs: number | null; readonly since?: WireMark }
  ): Promise<CapturedUpdate>
  readonly wireLog: WireLog

  /** The end of what the agent wrote to stderr, at most 64 KiB. */
  stderr(): string
  pid(): number | undefined
  processDiagnostics(): string
  /** Asks its group to end, and waits for nothing. */
  startTerminate(): void
  /** Kills its group, and waits for nothing. */
  startKill(): void
  /**
   * Ends the agent and waits until nothing of it is left; what waits for it fails with `AgentClosed`. A second call waits for the
   * same, and may be more severe.
   *
   * **Takes** `mode`: `eof` ends its input and waits as long as its profile says, then goes on as `terminate`, which is the default
   * **Fails** with `KillTimeout`, with what the sandbox could not remove, and with a mistake that nobody was told of
   */
  close(options?: { readonly mode?: CloseMode }): Promise<SessionEnd>
}
