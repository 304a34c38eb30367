import type { RunningFakeAgent } from "../../../src/harness/fake-agent/agent-ports.ts"
import { startFakeLeader } from "../../../src/harness/fake-leader/fake-leader.ts"
import { startFakeLeaderClient } from "../../../src/harness/fake-leader/fake-leader-client.ts"
import { calmLeader, type FakeLeaderScript } from "../../../src/harness/fake-leader/leader-script.ts"
import type { Choice } from "../../../src/kernel/choice.ts"
import { calmChoice } from "../../../src/kernel/choice-sources.ts"
import type { Clock } from "../../../src/kernel/clock.ts"
import { makeTrace } from "../../../src/kernel/trace.ts"
import { makeVirtualClock, type VirtualClock } from "../../../src/kernel/virtual-clock.ts"
import type { AgentEnd } from "../../../src/ports/agent-surroundings.ts"
import type { StreamPort } from "../../../src/ports/stream-port.ts"
import { makeSimStreams } from "../../../src/sim/stream-sockets.ts"
import { makeSupervisor } from "../../../src/supervisor/supervisor.ts"
import { notificationLine, requestLine } from "../../../src/wire/acp/write-line.ts"
import { memoryStore } from "../fake-agent/fake-agent-world.ts"

export const socketPath = "/home/leader.sock"

/** A leader of a simulated machine. */
export interface SimLeader {
  readonly pid: number
  readonly script: FakeLeaderScript
  readonly log: ReadonlyArray<string>
  /** What was written down of it, by the names of the events. */
  readonly events: ReadonlyArray<string>
  /** How it ended; `null` while it runs. */
  end(): AgentEnd | "killed" | null
  kill(): void
  terminate(): void
}

/** A client of leaders, and what it wrote. */
export interface SimClient {
  readonly lines: ReadonlyArray<string>
  readonly log: ReadonlyArray<string>
  exitCode(): number | null
  send(line: string): void
  request(id: number | string, method: string, params?: unknown): void
  prompt(id: number | string, sessionId: string, text: string): void
  cancel(sessionId: string): void
  /** The responses under an id. */
  responses(id: number | string): ReadonlyArray<Readonly<Record<string, unknown>>>
  reconnects(): ReadonlyArray<unknown>
  inputEnds(): void
}

export interface LeaderWorld {
  readonly clock: VirtualClock
  readonly streams: StreamPort
  readonly leaders: ReadonlyArray<SimLeader>
  alive(): ReadonlyArray<SimLeader>
  /** Who holds the guard and is alive. */
  holder(): number | null
  /** Gives the guard to another process. */
  passLock(pid: number): void
  /** How often a leader began to serve while another one did. */
  overlaps(): number
  /** Hears of every leader that a client ends, before it is ended: its version, and that of the client. */
  whenTerminated(hear: (leaderVersion: string, clientVersion: string) => void): void
  startLeader(script?: Partial<FakeLeaderScript>): SimLeader
  /** `starts`: what the leaders are that it starts. */
  startClient(options?: {
    readonly version?: string
    readonly starts?: Partial<FakeLeaderScript>
    readonly cannotStart?: boolean
  }): SimClient
}

/** How long a program takes to begin; the calm choice is the first. */
const startsMs = [30, 0, 120, 400] as const

/** A machine with one home, in virtual time. */
export const leaderWorld = (choice: Choice = calmChoice): LeaderWorld => {
  const clock = makeVirtualClock(choice)
  const sim = makeSimStreams({ clock, choice })
  const store = memoryStore()
  const leaders: Array<SimLeader> = []
  const living = new Set<number>()
  let guard: number | null = null
  let overlaps = 0
  let tellTerminated: Parameters<LeaderWorld["whenTerminated"]>[0] = () => {}
  let pids = 100

  const holder = (): number | null => (guard !== null && living.has(guard) ? guard : null)
  const lockOf = (pid: number) => ({
    take() {
      if (holder() !== null) return false
      guard = pid
      return true
    },
    write: () => {},
    giveBack() {
      if (guard === pid) guard = null
    },
    holder
  })
  /** Time as a process has it: none when it is gone. */
  const clockOf = (pid: number): Clock => ({
    ...clock,
    arm: (ms, label, fire) => clock.arm(ms, label, () => (living.has(pid) ? fire() : undefined))
  })
  const begin = () => {
    const pid = ++pids
    living.add(pid)
    const own = clockOf(pid)
    return { pid, own, supervisor: makeSupervisor({ clock: own, trace: makeTrace(own) }) }
  }

  const startLeader = (asked: Partial<FakeLeaderScript> = {}): SimLeader => {
    const { pid, own, supervisor } = begin()
    const script = { ...calmLeader("1.0.0"), ...asked }
    const log: Array<string> = []
    const events: Array<string> = []
    let ended: AgentEnd | "killed" | null = null
    const die = (how: AgentEnd | "killed"): void => {
      if (ended !== null) return
      ended = how
      // What it serves goes with it; of what it does not serve it has none.
      if (holder() === pid || how !== "killed") crash()
      living.delete(pid)
    }
    let hasServed = false
    const crash = (): void => {
      if (hasServed) sim.crash({ kind: "unix", path: socketPath })
    }
    const leader = startFakeLeader(script, {
      supervisor,
      ports: {
        clock: own,
        pid,
        socketPath,
        lockPath: "/home/leader.lock",
        lock: lockOf(pid),
        streams: {
          ...sim.port,
          listen(address, report) {
            return sim.port.listen(address, {
              ...report,
              bound(at) {
                hasServed = true
                // Who was killed in the middle of it listens to nobody.
                if (living.has(pid)) report.bound(at)
                else crash()
              }
            })
          }
        },
        agent: {
          store,
          askModel: () => () => {}
        },
        log: (line) => void log.push(line),
        record(line) {
          const { event } = JSON.parse(line)
          const isServing = (one: SimLeader): boolean => one.end() === null && one.events.includes("leader_started")
          if (event === "leader_started" && leaders.some(isServing)) overlaps++
          events.push(event)
        },
        end: die
      }
    })
    const made: SimLeader = {
      pid,
      script,
      log,
      events,
      end: () => ended,
      kill: () => die("killed"),
      terminate: () => leader.terminate()
    }
    leaders.push(made)
    return made
  }

  const startClient: LeaderWorld["startClient"] = ({ version = "1.0.0", starts = {}, cannotStart = false } = {}) => {
    const { pid, own, supervisor } = begin()
    const lines: Array<string> = []
    const log: Array<string> = []
    let code: number | null = null
    const agent: RunningFakeAgent = startFakeLeaderClient(
      {},
      {
        supervisor,
        ports: {
          clock: own,
          streams: sim.port,
          socketPath,
          version,
          lock: lockOf(pid),
          startLeader() {
            if (cannotStart) return "no such program"
            const ms = startsMs[choice.draw(startsMs.length, "leader/start")] ?? 0
            clock.arm(ms, "leader/start", () => void startLeader({ version, ...starts }))
            return null
          },
          signal(target, signal) {
            const leader = leaders.find((one) => one.pid === target)
            tellTerminated(leader?.script.version ?? "", version)
            if (signal === "SIGKILL") leader?.kill()
            else if (leader?.script.agent.ignoreTerm === false) leader.terminate()
          },
          write: (line) => void lines.push(line),
          log: (line) => void log.push(line),
          end(given) {
            code = given
            living.delete(pid)
          }
        }
      }
    )
    const send = (line: string): void => agent.received(new TextEncoder().encode(`${line}\n`))
    const parsed = (): ReadonlyArray<Readonly<Record<string, unknown>>> => lines.map((line) => JSON.parse(line))
    return {
      lines,
      log,
      exitCode: () => code,
      send,
      request: (id, method, params = {}) => send(requestLine(id, method, params)),
      prompt: (id, sessionId, text) =>
        send(requestLine(id, "session/prompt", { sessionId, prompt: [{ type: "text", text }] })),
      cancel: (sessionId) => send(notificationLine("session/cancel", { sessionId })),
      responses: (id) => parsed().filter((line) => !("method" in line) && line["id"] === id),
      reconnects: () =>
        parsed().flatMap(({ method, params }) => (method === "x.ai/leader_reconnected" ? [params] : [])),
      inputEnds: () => agent.inputEnded()
    }
  }

  return {
    clock,
    streams: sim.port,
    leaders,
    alive: () => leaders.filter((leader) => leader.end() === null),
    holder,
    passLock(pid) {
      guard = pid
    },
    overlaps: () => overlaps,
    whenTerminated(hear) {
      tellTerminated = hear
    },
    startLeader,
    startClient
  }
}
