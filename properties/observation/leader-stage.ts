import type { LeaderFixture, LeaderStart } from "../../src/harness/leader/leader-fixture.ts"
import type { LeaderWorld } from "../../src/harness/leader/leader-world.ts"
import { startLeader } from "../../src/harness/leader/start-leader.ts"
import { makeProcessHost } from "../../src/harness/process/process-host.ts"
import { readProfile } from "../../src/harness/profile/read-profile.ts"
import { listedChoice } from "../../src/kernel/choice-sources.ts"
import { makeTrace, type Trace } from "../../src/kernel/trace.ts"
import { makeVirtualClock, type VirtualClock } from "../../src/kernel/virtual-clock.ts"
import { makeSimFiles, type SimFiles } from "../../src/sim/files.ts"
import type { SimProgram, SimScript, SimSelf } from "../../src/sim/process-script.ts"
import { makeSimProcesses, type SimMachine } from "../../src/sim/processes.ts"
import { makeSimStreams, type SimStreams } from "../../src/sim/stream-sockets.ts"
import { makeSupervisor } from "../../src/supervisor/supervisor.ts"
import type { SimLeader } from "../arbitraries/leader-scenes.ts"
import { makeSettling, makeTurns, type Settled } from "./settling.ts"

/** An agent whose leader is `/leader` and whose clients are `/client`. */
export const simLeaderProfile = readProfile({
  id: "sim",
  displayName: "sim",
  binary: { env: ["SIM_AGENT"], roleEnv: { leader: "SIM_LEADER", client: "SIM_CLIENT" } },
  acp: { args: ["stdio"], auth: { methodId: "key" } },
  sandbox: { stateDir: ".sim" },
  leader: { args: ["leader"], clientArgs: ["client"], socketEnv: "SIM_SOCKET" }
})

/** A simulated machine on which leaders and clients of them run. */
export interface LeaderStage {
  readonly clock: VirtualClock
  readonly trace: Trace
  readonly machine: SimMachine
  readonly files: SimFiles
  readonly streams: SimStreams
  readonly world: LeaderWorld
  readonly told: ReadonlyArray<string>
  start(options?: Partial<LeaderStart>): Promise<LeaderFixture>
  /** Lets time pass until a promise has settled; `at` is NaN when nothing can settle it any more. */
  settled(promise: Promise<unknown>): Promise<Settled>
  /** Lets so much time pass, and everybody who waits for promises go on. */
  pass(ms: number): Promise<void>
}

/** Long enough for every chain of promises between a step and who waits for it. */
const turnsMax = 60

/** A leader that never ends by itself and serves at once. */
export const plainLeader: SimLeader = { servesAfterMs: 0, exitsAfterMs: null, exitCode: 0, descendants: [] }

const forever: SimScript = { steps: [{ kind: "sleep", ms: Number.POSITIVE_INFINITY }] }

/** @since 0.1.0 @category constructors */
export const makeLeaderStage = (
  programs: { readonly leader: SimLeader; readonly client?: SimProgram },
  options: {
    readonly choices?: ReadonlyArray<number>
    readonly timeoutScale?: number
    readonly showsMarks?: boolean
  } = {}
): LeaderStage => {
  const { choices = [], timeoutScale = 1, showsMarks = true } = options
  const clock = makeVirtualClock()
  const trace = makeTrace(clock)
  const supervisor = makeSupervisor({ clock, trace })
  const choice = listedChoice(choices)
  const files = makeSimFiles()
  const streams = makeSimStreams({ clock, choice, paths: files })
  const machine = makeSimProcesses({
    clock,
    choice,
    files,
    showsMarks,
    programs: { "/leader": leaderScript(programs.leader, { files, streams }), "/client": programs.client ?? forever }
  })
  const host = makeProcessHost(
    { supervisor, clock, processes: machine.port },
    { runId: "0123456789abcdef0123456789abcdef", redact: (text) => text }
  )
  for (const path of ["/leader", "/client"]) files.put(path, "", { isExecutable: true })
  files.put("/sandboxes/.keep", "")
  const told: Array<string> = []
  const variables = { PATH: "/bin", SIM_LEADER: "/leader", SIM_CLIENT: "/client" }
  const world: LeaderWorld = {
    supervisor,
    clock,
    host,
    redact: (text) => text,
    timeoutScale: () => timeoutScale,
    showsTiming: false,
    streams: streams.port,
    locks: { holder: async () => null },
    sandboxes: {
      parent: { platform: "linux", variables, cwd: "/" },
      files,
      clock,
      run: () => Promise.reject(new Error("nothing is run in this world but leaders and clients")),
      baseFolder: "/sandboxes",
      tell: (line) => told.push(line)
    }
  }
  const turns = makeTurns(turnsMax)
  return {
    clock,
    trace,
    machine,
    files,
    streams,
    world,
    told,
    start: (start = {}) => startLeader(world, { profile: simLeaderProfile, ...start }),
    settled: makeSettling(clock, turns),
    async pass(ms) {
      const end = clock.now() + ms
      await turns()
      while (clock.armed() > 0 && clock.nextDue() <= end) {
        clock.step()
        await turns()
      }
      clock.advance(end - clock.now())
    }
  }
}

interface LeaderMachine {
  readonly files: SimFiles
  readonly streams: SimStreams
}

/** A leader as a program: first its descendants, then itself. */
const leaderScript = (leader: SimLeader, machine: LeaderMachine): SimScript => {
  const { servesAfterMs, exitsAfterMs, exitCode, descendants, ...script } = leader
  return {
    ...script,
    steps: [
      ...descendants.map(({ leaves, script }) => ({ kind: "fork", leaves, script, holds: [] }) as const),
      {
        kind: "run",
        start(self) {
          if (servesAfterMs !== null) self.clock.arm(servesAfterMs, "leader/serve", () => serve(self, machine))
          if (exitsAfterMs !== null)
            self.clock.arm(exitsAfterMs, "leader/exit", () => self.end({ code: exitCode, signal: null }))
          return { received: () => {}, inputEnded: () => {} }
        }
      }
    ]
  }
}

const serve = (self: SimSelf, { files, streams }: LeaderMachine): void => {
  const path = self.spec?.environment["SIM_SOCKET"] ?? ""
  const address = { kind: "unix", path } as const
  files.put(path.replace(/\.sock$/, ".lock"), String(self.pid))
  streams.port.listen(address, {
    bound: () => {},
    failed: () => {},
    lost: () => {},
    accepted: () => ({ received: () => {}, ended: () => {}, closed: () => {} })
  })
  // Its socket stays behind, and nobody serves it.
  self.atEnd(() => streams.crash(address))
}
