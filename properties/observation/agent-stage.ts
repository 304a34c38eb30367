import type { HarnessWorld } from "../../src/harness/harness-world.ts"
import type { Redact } from "../../src/harness/process/process-diagnostics.ts"
import { makeProcessHost } from "../../src/harness/process/process-host.ts"
import { listedChoice } from "../../src/kernel/choice-sources.ts"
import { makeTrace } from "../../src/kernel/trace.ts"
import { makeVirtualClock, type VirtualClock } from "../../src/kernel/virtual-clock.ts"
import type { ProcessPort } from "../../src/ports/process-port.ts"
import { makeSimFiles, type SimFiles } from "../../src/sim/files.ts"
import type { SimProgram } from "../../src/sim/process-script.ts"
import { makeSimProcesses, type SimMachine } from "../../src/sim/processes.ts"
import { makeSimStreams, type SimStreams } from "../../src/sim/stream-sockets.ts"
import { makeSupervisor } from "../../src/supervisor/supervisor.ts"
import { makeSettling, makeTurns, type Settled } from "./settling.ts"

/** A simulated world in which one program runs, `/agent`. */
export interface AgentStage {
  readonly clock: VirtualClock
  readonly machine: SimMachine
  readonly files: SimFiles
  readonly streams: SimStreams
  readonly world: HarnessWorld
  /** What the person who runs the tests was told. */
  readonly told: ReadonlyArray<string>
  /** What was written to the inputs of processes, and when. */
  readonly writes: ReadonlyArray<{ readonly at: number; readonly text: string }>
  /** The same in one piece. */
  written(): string
  /** How often the stdout of processes was held back, or let go on. */
  readonly flow: ReadonlyArray<"pause" | "resume">
  /** Lets time pass until a promise has settled; `at` is NaN when nothing can settle it any more. */
  settled(promise: Promise<unknown>): Promise<Settled>
  /** Lets everybody who waits for promises go on; no time passes. */
  turns(): Promise<void>
}

interface StageOptions {
  /** How long things take; the calm choice is nothing. */
  readonly choices?: ReadonlyArray<number>
  readonly timeoutScale?: number
  readonly showsTiming?: boolean
  readonly redact?: Redact
}

/** Long enough for every chain of promises between a step and who waits for it. */
const turnsMax = 40

/** @since 0.1.0 @category constructors */
export const makeAgentStage = (agent: SimProgram, options: StageOptions = {}): AgentStage => {
  const { choices = [], timeoutScale = 1, showsTiming = false, redact = (text) => text } = options
  const clock = makeVirtualClock()
  const supervisor = makeSupervisor({ clock, trace: makeTrace(clock) })
  const choice = listedChoice(choices)
  const machine = makeSimProcesses({ clock, choice, programs: { "/agent": agent } })
  const writes: Array<{ readonly at: number; readonly text: string }> = []
  const flow: Array<"pause" | "resume"> = []
  const processes: ProcessPort = {
    ...machine.port,
    start(spec, report) {
      const started = machine.port.start(spec, report)
      return {
        ...started,
        write(bytes, done) {
          writes.push({ at: clock.now(), text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) })
          started.write(bytes, done)
        },
        pause(stream) {
          if (stream === "stdout") flow.push("pause")
          started.pause(stream)
        },
        resume(stream) {
          if (stream === "stdout") flow.push("resume")
          started.resume(stream)
        }
      }
    }
  }
  const host = makeProcessHost({ supervisor, clock, processes }, { runId: "0123456789abcdef0123456789abcdef", redact })
  const files = makeSimFiles()
  const streams = makeSimStreams({ clock, choice, paths: files })
  files.put("/agent", "", { isExecutable: true })
  files.put("/sandboxes/.keep", "")
  const told: Array<string> = []
  const turns = makeTurns(turnsMax)
  const settled = makeSettling(clock, turns)
  return {
    clock,
    machine,
    files,
    streams,
    told,
    world: {
      supervisor,
      clock,
      host,
      redact,
      streams: streams.port,
      timeoutScale: () => timeoutScale,
      showsTiming,
      sandboxes: {
        parent: { platform: "linux", variables: { PATH: "/bin" }, cwd: "/" },
        files,
        clock,
        run: () => Promise.reject(new Error("nothing is run in this world but agents")),
        baseFolder: "/sandboxes",
        tell: (line) => told.push(line)
      }
    },
    writes,
    written: () => writes.map(({ text }) => text).join(""),
    flow,
    settled,
    turns
  }
}
