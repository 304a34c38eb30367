import type { CloseMode } from "../../domain/close-mode.ts"
import type { ExitStatus } from "../../domain/exit-status.ts"
import { KillTimeout, ProfileInvalid } from "../../domain/harness-errors.ts"
import { leaderClientTimes } from "../../domain/leader-limits.ts"
import type { OwnedProcess } from "../process/owned-process.ts"
import type { TextMap } from "../profile/agent-profile.ts"
import { startedBy } from "../sandbox/agent-start.ts"
import type { ResolvedBinary } from "../sandbox/resolve-binary.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"
import type { AgentSession, SessionEnd } from "../session/agent-session.ts"
import { runAgent } from "../session/run-agent.ts"
import type { OwnHandlers, SessionBehaviour } from "../session/session-behaviour.ts"
import { leaderChanges } from "./leader-environment.ts"
import { filledArguments, leaderOf } from "./leader-paths.ts"
import type { LeaderWorld } from "./leader-world.ts"

/**
 * A session with a client of a leader: 60 s for `initialize`, 30 s for `session/new` and for a prompt. Its registration with the
 * fixture is released when nothing of its process is left.
 *
 * **Source** agent-harness.md, section 5.3
 *
 * @since 0.1.0
 * @category services
 */
export interface LeaderClient extends AgentSession {
  /** How often it said that it has found a leader again. */
  reconnectedCount(): number
  modelsUpdateCount(): number
  settingsUpdateCount(): number
  /** Ends it as any session, and releases its registration. */
  close(options?: { readonly mode?: CloseMode }): Promise<SessionEnd>
  /** Kills it, also when it could not be ended before; and releases its registration. */
  killAndClose(): Promise<SessionEnd>
  /** Kills it and waits for nothing; it stays registered. */
  containFailedCleanup(): void
}

/** A client that is to be started, and how its session behaves. */
export interface LeaderClientStart extends SessionBehaviour, OwnHandlers {
  /** Where it finds its model; where the leader does by default. */
  readonly baseUrl?: string
  /** Its executable; that of the role `client` by default. */
  readonly binary?: string
  /** Where it runs; the workspace of the sandbox by default. */
  readonly cwd?: string
  /** Behind the arguments of the profile. */
  readonly args?: ReadonlyArray<string>
  /** Variables over all others. */
  readonly env?: TextMap
}

/** What a client has of its fixture. */
export interface ClientPlace {
  readonly sandbox: Sandbox
  readonly binary: Pick<ResolvedBinary, "path" | "interpreter">
  readonly socketPath: string
  readonly baseUrl: string | null
  /** Called when it has started, with the number of its start. */
  readonly started: (process: OwnedProcess) => void
  /** Called once, when nothing of it is left. */
  readonly released: () => void
}

/**
 * Starts a client. Nothing has been said to it when this resolves.
 *
 * **Fails** as `startAgent` does
 *
 * @since 0.1.0
 * @category constructors
 */
export const startLeaderClient = async (
  world: LeaderWorld,
  start: LeaderClientStart,
  place: ClientPlace
): Promise<LeaderClient> => {
  const { sandbox, binary, socketPath } = place
  const { profile, paths } = sandbox
  const { args: added, env, cwd = paths.workspace, baseUrl = place.baseUrl, ...behaviour } = start
  const { clientArgs, notifications } = leaderOf(profile)
  if (profile.acp === null) throw new ProfileInvalid(`${profile.displayName} does not speak ACP`, { field: "acp" })
  const { session, process } = await runAgent(world, {
    ...behaviour,
    ...startedBy(binary, filledArguments(clientArgs, { ...paths, socket: socketPath }, added)),
    cwd,
    environment: sandbox.environment({
      changes: leaderChanges(profile, { socketPath, baseUrl, ...(env === undefined ? {} : { env }) })
    }),
    label: `${profile.displayName} leader stdio client`,
    acp: profile.acp,
    sandbox,
    times: leaderClientTimes,
    // A leader that it elects is to outlive it.
    allowDetached: true,
    release: async () => {}
  })
  place.started(process)
  const close = closing({ session, process, released: place.released })
  return {
    ...session,
    reconnectedCount: () => session.extNotificationCount(notifications.reconnected),
    modelsUpdateCount: () => session.extNotificationCount(notifications.modelsUpdate),
    settingsUpdateCount: () => session.extNotificationCount(notifications.settingsUpdate),
    close: ({ mode = "terminate" } = {}) => close(mode),
    killAndClose: () => close("kill"),
    containFailedCleanup: () => process.startKill(),
    async [Symbol.asyncDispose]() {
      await close("terminate")
    }
  }
}

const closing = (parts: {
  readonly session: AgentSession
  readonly process: OwnedProcess
  readonly released: () => void
}): ((mode: CloseMode) => Promise<SessionEnd>) => {
  const { session, process, released } = parts
  let isReleased = false
  return async (mode) => {
    try {
      return await session.close({ mode })
    } catch (error) {
      // A session ends once. What could not be killed then may have gone since.
      if (mode !== "kill" || !(error instanceof KillTimeout)) throw error
      return endOf(process, await process.kill())
    } finally {
      if (process.status !== undefined && !isReleased) {
        isReleased = true
        released()
      }
    }
  }
}

const endOf = ({ terminationReason, stdout, stderr }: OwnedProcess, { code, signal }: ExitStatus): SessionEnd => ({
  exitCode: code,
  signal,
  reason: terminationReason ?? null,
  stdoutTail: stdout.text(),
  stderrTail: stderr.text()
})
