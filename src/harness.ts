/**
 * Public subpath `llm-understudy/harness`: starts agents as programs, in sandboxes, against a mock provider, and leaves nothing behind.
 *
 *     await using harness = await startHarness()
 *     const mock = await harness.startMock()
 *     const agent = await harness.startAgent({ profile: "grok", mock })
 */
import { serverReleaseMs } from "./domain/scope-limits.ts"
import type { HarnessRoom } from "./harness/api/harness-room.ts"
import type { HarnessRun } from "./harness/api/harness-run.ts"
import type { CoreScope } from "./harness/api/harness-scope.ts"
import { redactedOutput } from "./harness/diagnostics/sanitised-output.ts"
import { guardVariable } from "./harness/environment/environment-guard.ts"
import { makeEnvironmentReader } from "./harness/environment/environment-reader.ts"
import type { AgentProfile } from "./harness/profile/agent-profile.ts"
import { builtInProfile, builtInProfileIds } from "./harness/profile/built-in-profiles.ts"
import { loadProfile as loadNamed } from "./harness/profile/load-profile.ts"
import type { MockInferenceServer, ServerOptions, ServerPreset } from "./inference/server-api.ts"
import { liveClock } from "./live/clock.ts"
import { liveFiles } from "./live/files.ts"
import { liveLocks } from "./live/lock-table.ts"
import { sandboxBaseFolder, thisProcess } from "./live/parent-process.ts"
import { makeLiveProcesses } from "./live/processes.ts"
import { newRunId } from "./live/run-id.ts"
import { makeLiveStreams } from "./live/stream-sockets.ts"
import { timeoutScale } from "./live/timeout-scale.ts"

/** How a harness is opened. */
export interface HarnessOptions {
  /** Variables besides those of this process, for finding programs and for what children get of it. */
  readonly variables?: Readonly<Record<string, string>>
  /**
   * Whether a small process stands by that kills what was started should this one be killed by SIGKILL. Default: where there is a
   * POSIX shell.
   */
  readonly watchdog?: boolean
  /** Whether a line is said of how long `initialize`, `session/new`, prompts and runs took. Default `true`. */
  readonly timing?: boolean
  /** Where lines for people go: durations, warnings, sandboxes that are kept. Default: stderr. */
  readonly tell?: (line: string) => void
}

/** A lifetime in which agents, servers and sandboxes are started; see `CoreScope`. */
export interface HarnessScope extends CoreScope {
  /** Starts a mock model provider. **Fails** with `StartFailed`, `InvalidOption` */
  startMock(options?: ServerOptions & ServerPreset): Promise<MockInferenceServer>
  scope(name: string): HarnessScope
}

/** The outermost lifetime. */
export interface Harness extends HarnessScope, HarnessRun {}

/**
 * Opens a harness. Use it with `await using`, or close it.
 *
 * **Source** agent-harness.md, section 7.6
 *
 * @since 0.1.0
 * @category constructors
 */
export const startHarness = async (options: HarnessOptions = {}): Promise<Harness> => (await open(options)).harness

/**
 * Runs a body with a harness that is closed when the body is over. What the body fails with stays what this fails with; what goes
 * wrong after that is said, and kept: see `failureDetails`.
 *
 * **Takes** `signal`: interrupts the body, and gives everything back
 * **Fails** with what the body fails with, with `Cancelled` when it was interrupted, and as `Harness.close` does
 *
 * @since 0.1.0
 * @category running
 */
export const withHarness = async <A>(
  body: (harness: Harness) => Promise<A>,
  { signal, ...options }: HarnessOptions & { readonly signal?: AbortSignal } = {}
): Promise<A> => {
  const [{ harness, tell }, { inside }] = await Promise.all([open(options), import("./harness/api/inside.ts")])
  const { close, transitions } = harness
  return inside({ close, transitions, tell, signal }, () => body(harness))
}

const open = async (options: HarnessOptions) => {
  const { variables = {}, watchdog, timing = true, tell = (line) => void process.stderr.write(`${line}\n`) } = options
  // What charts are made of is loaded when the first harness is opened.
  const { openHarness } = await import("./harness/api/open-harness.ts")
  const parent = thisProcess()
  const { room, scope, run } = openHarness({
    clock: liveClock,
    processes: makeLiveProcesses(watchdog === undefined ? {} : { watchdog }),
    files: liveFiles,
    streams: makeLiveStreams(),
    locks: liveLocks,
    parent: { ...parent, variables: { ...parent.variables, ...variables } },
    baseFolder: sandboxBaseFolder(),
    runId: newRunId(),
    redact: redactedOutput,
    timeoutScale,
    tell,
    showsTiming: timing
  })
  return { harness: { ...withMocks(scope, room), ...run }, tell }
}

/** The mock is loaded when the first one is started. */
const withMocks = (scope: CoreScope, room: HarnessRoom): HarnessScope => ({
  ...scope,
  async startMock(options = {}) {
    const { MockInferenceServer } = await import("./index.ts")
    let closed = (): void => {}
    const { value, forget } = await scope.acquire("mock server", {
      start: async () => {
        const server = await MockInferenceServer.start(options)
        closed = room.watch.listening(`mock server ${server.url()}`)
        return server
      },
      release: async (server) => {
        await server.close()
        closed()
      },
      boundMs: serverReleaseMs
    })
    return heldMock(value, () => {
      closed()
      forget()
    })
  },
  scope: (name) => withMocks(scope.scope(name), room)
})

/** One that is closed by hand is forgotten. */
const heldMock = (server: MockInferenceServer, gone: () => void): MockInferenceServer => {
  const { close, [Symbol.asyncDispose]: dispose } = server
  const seen = <A>(closing: Promise<A>): Promise<A> => {
    closing.then(gone, () => {})
    return closing
  }
  return Object.assign(server, {
    close: (options?: { readonly drainMs?: number }) => seen(close(options)),
    [Symbol.asyncDispose]: () => seen(dispose())
  })
}

/**
 * A profile by its name: the id of a built-in one, or the path of a JSON file, which ends in `.json` or holds a separator.
 *
 * **Fails** with `ProfileInvalid`
 * **Source** agent-harness.md, section 1.1
 *
 * @since 0.1.0
 * @category constructors
 */
export const loadProfile = (name: string): Promise<AgentProfile> =>
  loadNamed(name, { parent: thisProcess(), files: liveFiles })

/**
 * The built-in profiles, the best tried first; `tried` says how far.
 *
 * @since 0.1.0
 * @category models
 */
export const agentProfiles = (): ReadonlyArray<AgentProfile> => builtInProfileIds.map(builtInProfile)

/**
 * Changes a variable of this process until the guard is disposed: `using _ = setVariable("NAME", "value")`.
 *
 * **Takes** `undefined` to take the variable away
 * **Fails** with `SandboxError` when it is disposed before a newer guard of the same variable is
 * **Source** agent-harness.md, section 1.7
 *
 * @since 0.1.0
 * @category guards
 */
export const setVariable = (name: string, value: string | undefined): Disposable =>
  guardVariable(process.env, name, value)

const variables = makeEnvironmentReader({ variables: process.env, warn: (message) => process.emitWarning(message) })

/**
 * Reads a variable of this process; what stands for it is used when it is not set and, with one warning, when it cannot be parsed.
 *
 * **Takes** `parse`, which gives `undefined` for what it does not understand
 * **Source** agent-harness.md, section 1.7
 *
 * @since 0.1.0
 * @category guards
 */
export const envParse = <A>(name: string, otherwise: A, parse: (text: string) => A | undefined): A =>
  variables.envParse(name, otherwise, parse)

export type { CloseMode } from "./domain/close-mode.ts"
export { InvalidOption, StartFailed } from "./domain/errors.ts"
export type { ExitStatus, TerminationReason } from "./domain/exit-status.ts"
export { type FailureDetails, failureDetails } from "./domain/failure-details.ts"
export { HarnessError, type HarnessErrorTag, harnessErrorTags, isHarnessError } from "./domain/harness-error.ts"
export {
  AgentClosed,
  AgentError,
  AgentInputClosed,
  BinaryNotFound,
  BuildFailed,
  FrameTooLarge,
  KillTimeout,
  ProfileInvalid,
  ProtocolViolation,
  RequestTimeout,
  SandboxError,
  SpawnCwdMissing,
  SpawnFailed,
  WaitTimeout
} from "./domain/harness-errors.ts"
export {
  Cancelled,
  CleanupFailed,
  LeaderClientsActive,
  LeaderGone,
  LeaderNotReady,
  PathTooLong,
  PermissionScriptError,
  ResourceLeak,
  UnsupportedControl
} from "./domain/harness-scope-errors.ts"
export { RecordingInvalid, RecordingMismatch } from "./domain/recording-errors.ts"
export type { Transition } from "./domain/transition.ts"
export type {
  AgentOptions,
  ArgumentsOptions,
  DeferOptions,
  LeaderOptions,
  MockAddress,
  ProfileChoice,
  PromptOptions,
  RawOptions,
  SandboxChoice,
  SpawnOptions
} from "./harness/api/api-options.ts"
export type { SandboxPaths } from "./harness/environment/environment-request.ts"
export type { FakeAgentScript } from "./harness/fake-agent/script.ts"
export {
  assertHeadlessSuccess,
  assertNoCrashes,
  stderrTail
} from "./harness/headless/headless-assertions.ts"
export type { PromptResult } from "./harness/headless/headless-options.ts"
export { parseJson, parseNdjson, terminalEvent } from "./harness/headless/headless-output.ts"
export type { HeadlessResult } from "./harness/headless/headless-result.ts"
export type { LeaderClient, LeaderClientStart } from "./harness/leader/leader-client.ts"
export type { LeaderEvents, LeaderHome } from "./harness/leader/leader-files.ts"
export type { LeaderFixture } from "./harness/leader/leader-fixture.ts"
export type { LeaderWatch } from "./harness/leader/leader-generation.ts"
export { withLeader } from "./harness/leader/with-leader.ts"
export type { OutputTail } from "./harness/process/output-tail.ts"
export type { OwnedProcess } from "./harness/process/owned-process.ts"
export type { OutputFlow, OutputReader } from "./harness/process/process-output.ts"
export type { AgentProfile, ProfileTrial, Trial } from "./harness/profile/agent-profile.ts"
export { readProfile } from "./harness/profile/read-profile.ts"
export type { RawAnswers } from "./harness/raw/agent-requests.ts"
export type { JsonMessage, RawEnd, RawStdioClient, RawViolation, RawWaitOptions } from "./harness/raw/raw-client.ts"
export type { Sandbox } from "./harness/sandbox/sandbox.ts"
export type { Acquisition, Holding } from "./harness/scope/acquisition.ts"
export type { AgentRequest, RequestAnswer } from "./harness/session/agent-request.ts"
export type { AgentSession, ModelReply, NewSession, PromptReply, SessionEnd } from "./harness/session/agent-session.ts"
export type { CapturedUpdate, ExtNotification, WireMark } from "./harness/session/captures.ts"
export type { HeldPermission, PermissionRecord } from "./harness/session/held-permission.ts"
export type { JsonRecord } from "./harness/session/json-record.ts"
export type {
  PermissionAnswer,
  PermissionKind,
  PermissionOption,
  PermissionPolicy,
  PermissionRequest
} from "./harness/session/permission-policy.ts"
export type { RequestHandler } from "./harness/session/session-behaviour.ts"
export type { StartedAgent } from "./harness/session/started-agent.ts"
export type { WaitOptions } from "./harness/session/wait-options.ts"
export type { Pollution, WireViolation } from "./harness/session/wire-records.ts"
export type { WireEntry, WireLog } from "./harness/wire/wire-log.ts"
export type { MockInferenceServer, ServerOptions } from "./inference/server-api.ts"
export { startTreeSampler, treeSnapshot } from "./live/process-tree.ts"
export type {
  ResourceSnapshot,
  Resources,
  RssReport,
  RssSampler
} from "./live/resource-snapshot.ts"
export { scaled } from "./live/timeout-scale.ts"
