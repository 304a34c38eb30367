import { delayMsMax } from "../../domain/durations.ts"
import { InvalidOption } from "../../domain/errors.ts"
import { leaderGraceMs, leaderKillWaitMs, leaderReadyMs } from "../../domain/leader-limits.ts"
import { startedBy } from "../sandbox/agent-start.ts"
import { makeSandbox, type Sandbox } from "../sandbox/sandbox.ts"
import { type FixtureActor, type FixtureData, fixtureKind } from "./leader-actor.ts"
import { type LeaderBinary, leaderBinary } from "./leader-binary.ts"
import { leaderChanges } from "./leader-environment.ts"
import type { LeaderFixture, LeaderStart } from "./leader-fixture.ts"
import { leaderHome } from "./leader-home.ts"
import { checkSocketPath, filledArguments, leaderOf } from "./leader-paths.ts"
import { leaderStartError } from "./leader-start-error.ts"
import type { LeaderWorld } from "./leader-world.ts"
import { ended, fixtureOf } from "./make-fixture.ts"

/**
 * Starts a leader and waits until it accepts connections. When that fails nothing of it is left.
 *
 * **Fails** with `LeaderNotReady`, which names its number and its socket; with `PathTooLong`, `ProfileInvalid` and
 * `InvalidOption` before anything is made; and with what `makeSandbox` and `ProcessHost.spawn` fail with
 * **Source** agent-harness.md, section 5.2
 *
 * @since 0.1.0
 * @category constructors
 */
export const startLeader = async (world: LeaderWorld, start: LeaderStart): Promise<LeaderFixture> => {
  const { profile, mockUrl, baseUrl = mockUrl ?? null, readyMs = leaderReadyMs } = start
  leaderOf(profile)
  if (mockUrl !== undefined && start.baseUrl !== undefined)
    throw new InvalidOption("both mockUrl and baseUrl are given; give mockUrl for a mock, baseUrl for any other place")
  if (!(readyMs >= 0 && readyMs <= delayMsMax))
    throw new InvalidOption(`readyMs is ${readyMs}; give milliseconds from 0 to ${delayMsMax}`)
  const binary = await leaderBinary(world.sandboxes, profile, { role: "leader", path: start.binary })
  const sandbox = start.sandbox ?? (await makeSandbox(world.sandboxes, { profile }))
  try {
    if (mockUrl !== undefined) await sandbox.setMock(mockUrl)
    return await startIn(world, start, { sandbox, binary, baseUrl, readyMs })
  } catch (error) {
    if (start.sandbox === undefined)
      await sandbox.close().catch((second) => world.sandboxes.tell(`warning: ${String(second)}`))
    throw error
  }
}

interface Place {
  readonly sandbox: Sandbox
  readonly binary: LeaderBinary
  readonly baseUrl: string | null
  readonly readyMs: number
}

const startIn = async (world: LeaderWorld, start: LeaderStart, place: Place): Promise<LeaderFixture> => {
  const { sandbox, binary, baseUrl, readyMs } = place
  const { profile, socketPath, args, env, cwd = sandbox.paths.workspace } = start
  const at = { profile, home: sandbox.paths.home, ...(socketPath === undefined ? {} : { socketPath }) }
  const home = leaderHome(world, at)
  const socket = home.paths.socket
  checkSocketPath(socket, world.streams.pathBytesMax)
  const environment = sandbox.environment({
    changes: leaderChanges(profile, { socketPath: socket, baseUrl, ...(env === undefined ? {} : { env }) })
  })
  const options = {
    ...startedBy(binary, filledArguments(leaderOf(profile).args, { ...sandbox.paths, socket }, args)),
    cwd,
    environment,
    label: `${profile.displayName} leader`,
    stderrFile: home.paths.log,
    graceMs: leaderGraceMs,
    killWaitMs: leaderKillWaitMs,
    // Whom it starts to follow it is swept when the fixture closes.
    allowDetached: true
  }
  const scaledMs = Math.min(delayMsMax, readyMs * world.timeoutScale())
  const fixture = await ready(world, { home, options, sandbox, readyMs: scaledMs })
  return fixtureOf(fixture, { sandbox, binary, baseUrl, isOwned: start.sandbox === undefined })
}

interface Launch extends Pick<FixtureData, "home" | "options"> {
  readonly sandbox: Sandbox
  readonly readyMs: number
}

/** Waits until a leader serves. **Fails** with what kept it from that */
const ready = (world: LeaderWorld, { home, options, sandbox, readyMs }: Launch): Promise<FixtureActor> =>
  new Promise((resolve, reject) => {
    // Inside of one task, so that the actor is there before its first step.
    world.supervisor.run(() => {
      const fixture: FixtureActor = world.supervisor.spawn(
        fixtureKind,
        { readyMs },
        {
          world,
          home,
          options,
          process: null,
          pid: null,
          startedPid: null,
          spawning: Promise.resolve(),
          spawnIds: [],
          spawnFailure: null,
          stopFailure: null,
          logText: "",
          endLook: () => {},
          closes: [],
          reaps: [],
          watches: [],
          told: { ready: () => resolve(fixture), failed: () => reject(leaderStartError(fixture, sandbox)) }
        }
      )
      // A sandbox outlives what runs in it, whoever closes it.
      sandbox.defer(() => ended(fixture))
    })
  })
