import type { StreamAddress } from "../../ports/stream-port.ts"
import type { FaultProxy } from "../../proxy/fault-proxy.ts"
import type { PlanSource } from "../../proxy/plan/plan-source.ts"
import type { FaultProxyOptions } from "../../proxy/proxy-options.ts"
import type { ListenChoice, UpstreamChoice } from "../../proxy/proxy-parts.ts"
import type { PromptResult } from "../headless/headless-options.ts"
import type { HeadlessResult } from "../headless/headless-result.ts"
import type { LeaderFixture } from "../leader/leader-fixture.ts"
import type { ConnectLeaderOptions } from "../leader-ipc/connect-options.ts"
import type { FakeLeaderBehaviour } from "../leader-ipc/fake-leaders.ts"
import type { LeaderConnection } from "../leader-ipc/leader-connection.ts"
import type { RunningFakeLeader } from "../leader-ipc/running-fake-leader.ts"
import type { OwnedProcess } from "../process/owned-process.ts"
import type { RawStdioClient } from "../raw/raw-client.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"
import type { Acquisition, Holding } from "../scope/acquisition.ts"
import type { StartedAgent } from "../session/started-agent.ts"
import type {
  AgentOptions,
  ArgumentsOptions,
  CommandOptions,
  DeferOptions,
  LeaderOptions,
  PromptOptions,
  RawOptions,
  SandboxChoice,
  SpawnOptions
} from "./api-options.ts"

/**
 * A lifetime: what is started in it is given back when it closes, the newest first, each once and within its own bound. What was
 * closed before is not closed again.
 *
 * Every start fails with `InvalidOption` when the scope is closed, and with `Cancelled` when it is closed while the start is under
 * way: then nothing of it is left.
 *
 * **Source** agent-harness.md, section 7.6
 */
export interface CoreScope extends AsyncDisposable {
  readonly name: string
  /**
   * Starts an agent for a session over ACP, in a sandbox of its own unless one is given. Nothing has been said to it.
   *
   * **Fails** with `ProfileInvalid`, `BinaryNotFound`, `BuildFailed`, `SandboxError`, `SpawnCwdMissing`, `SpawnFailed`
   */
  startAgent(options: AgentOptions): Promise<StartedAgent>
  /** Starts an agent that is sent exact bytes. **Fails** as `startAgent` does */
  startRawClient(options: RawOptions): Promise<RawStdioClient>
  /**
   * Runs one prompt to its end, with the arguments that the profile has for it. A run that was too long is a result as well.
   *
   * **Fails** as `startAgent` does, and with `KillTimeout`
   */
  runPrompt(options: PromptOptions): Promise<PromptResult>
  /** Runs an agent to its end with exactly these arguments. **Fails** as `runPrompt` does */
  runHeadless(options: ArgumentsOptions): Promise<HeadlessResult>
  /**
   * Runs any program to its end, with nothing to read, and gives its whole output: a tool beside an agent, or an agent that has no
   * profile. Nothing of the environment here reaches it, only that of its sandbox and `env`.
   *
   * **Gives** a result also when the cap ended the run
   * **Fails** with `BinaryNotFound`, `SandboxError`, `SpawnCwdMissing`, `SpawnFailed`, `KillTimeout`
   */
  runCommand(options: CommandOptions): Promise<HeadlessResult>
  /**
   * Starts a leader, the daemon that several clients of an agent share, and waits until it accepts connections. Its clients are given
   * back before it. See `withLeader` for the order in which tests close them.
   *
   * **Fails** as `startAgent` does, and with `LeaderNotReady`, `PathTooLong`, `InvalidOption`
   */
  startLeader(options: LeaderOptions): Promise<LeaderFixture>
  /**
   * Connects to the leader at a socket, registers, and waits until it is ready.
   *
   * **Takes** the path of the socket, or another address of this machine
   * **Fails** with `PathTooLong`, `AgentClosed`, `RequestTimeout`, `AgentError`, `ProtocolViolation`, `FrameTooLarge`
   */
  connectLeader(address: string | StreamAddress, options?: ConnectLeaderOptions): Promise<LeaderConnection>
  /** Serves clients of a leader in a way of `fakeLeaders`. **Fails** with `PathTooLong`, `LeaderNotReady` */
  startFakeLeader(address: string | StreamAddress, behaviour: FakeLeaderBehaviour): Promise<RunningFakeLeader>
  /**
   * Starts a fault proxy between two programs, as a client and its leader: where it listens, where it connects to, and its plan.
   *
   * **Fails** with `InvalidOption`, `PathTooLong`, `ProxyBindFailed`
   */
  startProxy(
    listen: ListenChoice,
    upstream: UpstreamChoice,
    plan?: PlanSource,
    options?: FaultProxyOptions
  ): Promise<FaultProxy>
  /** Makes a sandbox, for several agents one after the other or for programs. **Fails** with `SandboxError`, `ProfileInvalid` */
  makeSandbox(options?: SandboxChoice): Promise<Sandbox>
  /** Starts a program. **Fails** with `BinaryNotFound`, `SpawnCwdMissing`, `SpawnFailed`, `InvalidOption` */
  spawn(options: SpawnOptions): Promise<OwnedProcess>
  /**
   * Gets anything that has to be given back: a database, a folder. It is registered before anything is waited for.
   *
   * **Gives** what was got, and `forget`, for when it was given back already
   */
  acquire<A>(name: string, acquisition: Acquisition<A>): Promise<Holding<A>>
  /** Has this done when the scope closes. The function it gives takes that back. */
  defer(name: string, finalizer: () => Promise<void> | void, options?: DeferOptions): () => void
  /** A scope that closes with this one, if not before. */
  scope(name: string): CoreScope
  /**
   * Gives everything back that is left, and waits until it is gone. A second call waits for the first.
   *
   * **Fails** with `CleanupFailed`, which names each resource that something went wrong with. The outermost scope then looks
   * whether processes, listeners, timers or sandboxes are left, ends what it can of them, and fails with `ResourceLeak` if there
   * were any
   */
  close(): Promise<void>
}
