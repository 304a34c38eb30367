import { packageVersion } from "../campaign/package-version.ts"
import type { FakeLeaderClientPorts } from "../harness/fake-leader/client-ports.ts"
import { startFakeLeaderClient } from "../harness/fake-leader/fake-leader-client.ts"
import { makeTrace } from "../kernel/trace.ts"
import { liveClock } from "../live/clock.ts"
import { liveLeaderLock } from "../live/leader-lock.ts"
import { signalIfThere, startDetached } from "../live/own-process.ts"
import { makeLiveStreams } from "../live/stream-sockets.ts"
import { makeSupervisor } from "../supervisor/supervisor.ts"
import type { CommandIo } from "./command-io.ts"
import { feedAgent } from "./fake-agent-process.ts"
import { ownLeaderClientOptions as options } from "./fake-leader-options.ts"
import { leaderPlaces } from "./fake-leader-places.ts"
import type { GivenOptions } from "./option-table.ts"

/**
 * Is a client of a fake leader on the streams of this process, until it ends.
 *
 * **Takes** `leaderWords`: the options of leaders that it starts
 * **Gives** the exit code; by then the process was asked to exit with it
 *
 * @since 0.1.0
 * @category running
 */
export const fakeLeaderClient = async (
  given: GivenOptions,
  { io, leaderWords }: { readonly io: CommandIo; readonly leaderWords: ReadonlyArray<string> }
): Promise<number> => {
  const stdin = await io.stdin()
  const delay = given.value(options["reconnect-delay"])
  return new Promise((ended) => {
    const supervisor = makeSupervisor({ clock: liveClock, trace: makeTrace(liveClock) })
    const client = startFakeLeaderClient(
      { evictsUnreachable: process.platform === "linux", ...(delay === undefined ? {} : { reconnectDelayMs: delay }) },
      { supervisor, ports: clientPorts(given, { io, leaderWords, ended }) }
    )
    feedAgent(client, { stdin, log: undefined, keepsAlive: false })
  })
}

const clientPorts = (
  given: GivenOptions,
  parts: {
    readonly io: CommandIo
    readonly leaderWords: ReadonlyArray<string>
    readonly ended: (code: number) => void
  }
): FakeLeaderClientPorts => {
  const { io, leaderWords, ended } = parts
  const { socket, lock, log } = leaderPlaces(given)
  return {
    clock: liveClock,
    streams: makeLiveStreams(),
    socketPath: socket,
    version: given.value(options["binary-version"]) ?? packageVersion(),
    lock: liveLeaderLock(lock),
    startLeader: () => startDetached(["fake-agent", "leader", ...leaderWords], { log }),
    signal: signalIfThere,
    write: (line) => void io.stdout.write(`${line}\n`),
    log: (line) => void io.stderr.write(`${line}\n`),
    end: (code) =>
      io.stdout.write("", () =>
        io.stderr.write("", () => {
          ended(code)
          io.exit(code)
        })
      )
  }
}
