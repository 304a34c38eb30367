import type { CloseMode } from "../../domain/close-mode.ts"
import type { ExitStatus } from "../../domain/exit-status.ts"
import { KillTimeout, ProfileInvalid } from "../../domain/harness-errors.ts"
import { leaderClientTimes } from "../../domain/leader-limits.ts"
import type { OwnedProcess } from "../process/owned-process.ts"
import { startedBy } from "../sandbox/agent-start.ts"
import type { ResolvedBinary } from "../sandbox/resolve-binary.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"
import type { AgentSession, SessionEnd } from "../session/agent-session.ts"
import { runAgent } from "../session/run-agent.ts"
import type { LeaderClient, LeaderClientStart } from "./leader-client.ts"
import { leaderChanges } from "./leader-environment.ts"
import { filledArguments, leaderOf } from "./leader-paths.ts"
import type { LeaderWorld } from "./leader-world.ts"

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
      const isWorthTrying = mode === "kill" || process.status !== undefined
      if (!(error instanceof KillTimeout) || !isWorthTrying) throw error
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
