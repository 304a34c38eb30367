/**
 * Public subpath `llm-understudy/harness`: starts agents as programs, in sandboxes, against a mock provider, and leaves nothing behind.
 *
 *     await using harness = await startHarness()
 *     const mock = await harness.startMock()
 *     const agent = await harness.startAgent({ profile: "grok", mock })
 */
import { guardVariable } from "./harness/environment/environment-guard.ts"
import { makeEnvironmentReader } from "./harness/environment/environment-reader.ts"
import type { AgentProfile } from "./harness/profile/agent-profile.ts"
import { builtInProfile, builtInProfileIds } from "./harness/profile/built-in-profiles.ts"
import { loadProfile as loadNamed } from "./harness/profile/load-profile.ts"
import { liveFiles } from "./live/files.ts"
import { thisProcess } from "./live/parent-process.ts"

/**
 * A profile by its name: the id of a built-in one, or the path of a JSON file, which ends in `.json` or holds a separator.
 *
 * **Fails** with `ProfileInvalid`; with `InvalidOption` for what is no text
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

export {
  type Harness,
  type HarnessOptions,
  type HarnessScope,
  startHarness,
  withHarness
} from "./campaign/live-harness.ts"
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
  ProxyBindFailed,
  ProxyFailed,
  ResourceLeak,
  UnsupportedControl
} from "./domain/harness-scope-errors.ts"
export { RecordingInvalid, RecordingMismatch } from "./domain/recording-errors.ts"
export type { Transition } from "./domain/transition.ts"
export type {
  AgentOptions,
  ArgumentsOptions,
  CommandOptions,
  DeferOptions,
  LeaderOptions,
  MockAddress,
  ProfileChoice,
  PromptOptions,
  RawOptions,
  SandboxChoice,
  SkewLaneOptions,
  SpawnOptions
} from "./harness/api/api-options.ts"
export type { SandboxPaths } from "./harness/environment/environment-request.ts"
export { type FakeAgentChoice, fakeAgent } from "./harness/fake-agent/fake-agent-profile.ts"
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
export type { LaneOutcome, SkewLaneName } from "./harness/leader/skew-lane.ts"
export { withLeader } from "./harness/leader/with-leader.ts"
export type { ConnectLeaderOptions } from "./harness/leader-ipc/connect-options.ts"
export { type FakeLeaderBehaviour, type FakeLeaderClient, fakeLeaders } from "./harness/leader-ipc/fake-leaders.ts"
export type {
  DisconnectReason,
  LeaderConnection,
  LeaderInfo,
  RelaunchAnswer
} from "./harness/leader-ipc/leader-connection.ts"
export type { RunningFakeLeader } from "./harness/leader-ipc/running-fake-leader.ts"
export type { OutputTail } from "./harness/process/output-tail.ts"
export type { OwnedProcess } from "./harness/process/owned-process.ts"
export type { OutputFlow, OutputReader } from "./harness/process/process-output.ts"
export type { AgentProfile, ProfileTrial, Trial } from "./harness/profile/agent-profile.ts"
export { readProfile } from "./harness/profile/read-profile.ts"
export type { RawAnswers } from "./harness/raw/agent-requests.ts"
export type { JsonMessage, RawEnd, RawStdioClient, RawViolation, RawWaitOptions } from "./harness/raw/raw-client.ts"
export { type SessionRecordingOptions, sessionRecording } from "./harness/recording/session-recording.ts"
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
export { pidAlive } from "./live/proc-files.ts"
export { startTreeSampler, treeSnapshot } from "./live/process-tree.ts"
export type {
  ResourceSnapshot,
  Resources,
  RssReport,
  RssSampler
} from "./live/resource-snapshot.ts"
export { scaled } from "./live/timeout-scale.ts"
