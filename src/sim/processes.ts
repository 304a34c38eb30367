import { carriesMark, ownerVariable, spawnIdOf } from "../domain/owner-mark.ts"
import type { Choice } from "../kernel/choice.ts"
import type { Clock } from "../kernel/clock.ts"
import type {
  OutputStream,
  ProcessPort,
  ProcessReport,
  ProcessSignal,
  SignalOutcome,
  StartedProcess,
  StartSpec
} from "../ports/process-port.ts"
import type { SimFiles } from "./files.ts"
import { type DrawDelay, makeSimFileOutput, makeSimInput, makeSimOutput, type SimOutput } from "./process-pipes.ts"
import type { SimProgram } from "./process-script.ts"
import { makeSimTable, type SimProcessEntry } from "./sim-processes.ts"

/** A simulated machine. */
export interface SimMachineOptions {
  readonly clock: Clock
  /** Answers how long things take, and who gets a number that became free. Labels begin with `process/`. */
  readonly choice: Choice
  /** What runs, by path. */
  readonly programs: Readonly<Record<string, SimProgram>>
  /** Which directories exist. Default: all. */
  readonly directories?: ReadonlyArray<string>
  /** Whether groups can be asked to end. Default `true`. */
  readonly canTerminate?: boolean
  /** Whether the machine shows who carries a mark. Default `true`. */
  readonly showsMarks?: boolean
  /** Where stderr goes that is to go to a file. Default: nowhere. */
  readonly files?: Pick<SimFiles, "append" | "put">
  /** The group of the harness itself. Default 50, which is no process's. */
  readonly ownGroup?: number
}

/** A signal that was sent, and what its number was at that moment. */
export interface SentSignal {
  readonly at: number
  readonly target: number
  readonly isGroup: boolean
  readonly signal: ProcessSignal
  /** `nobody` is a number that is no process's; `stranger` one that is somebody else's, or never ours. */
  readonly hit: "ours" | "nobody" | "stranger" | "harness"
}

/** Processes as a simulated machine has them, and what can be seen of it from outside. */
export interface SimMachine {
  readonly port: ProcessPort
  readonly signals: ReadonlyArray<SentSignal>
  /** Processes of ours that run, or were not taken off. */
  ours(): ReadonlyArray<SimProcessEntry>
  /** Starts a process that has nothing to do with us. Gives its number. */
  beginStranger(): number
  /** Groups in the care of the machine. */
  guarded(): ReadonlyArray<number>
  /** Output streams that nobody has read to their end or given back. */
  openPipes(): number
  /** Ends the process that we are, by whatever: its guards do their work, and nothing else is heard or done any more. */
  endHarness(): void
}

/** How long things take; the calm choice is nothing. */
const delaysMs = [0, 1, 7, 40] as const

const inputRoomBytes = 65_536

/** @since 0.1.0 @category simulation */
export const makeSimProcesses = (options: SimMachineOptions): SimMachine => {
  const { clock, choice, programs, directories, ownGroup = 50 } = options
  const delay: DrawDelay = (label) => delaysMs[choice.draw(delaysMs.length, label)] ?? 0
  const table = makeSimTable({ clock, choice, delay })
  const signals: Array<SentSignal> = []
  const guarded = new Set<number>()
  const runs = new Set<string>()
  let isOver = false
  const pipes = new Set<{ readonly isOpen: () => boolean }>()

  const hitOf = (targets: ReadonlyArray<SimProcessEntry>, target: number): SentSignal["hit"] => {
    if (target <= 1 || target === ownGroup) return "harness"
    if (targets.some(({ mark }) => mark === null)) return "stranger"
    return targets.length === 0 ? "nobody" : "ours"
  }

  const send = (targets: ReadonlyArray<SimProcessEntry>, sent: Omit<SentSignal, "hit" | "at">): SignalOutcome => {
    if (isOver) return { kind: "gone" }
    signals.push({ ...sent, at: clock.now(), hit: hitOf(targets, sent.target) })
    for (const entry of targets) table.signal(entry, sent.signal)
    return { kind: targets.length === 0 ? "gone" : "sent" }
  }

  const signalGroup = (target: number, signal: ProcessSignal): SignalOutcome =>
    send(
      table.present().filter(({ group }) => group === target),
      { target, isGroup: true, signal }
    )

  const find = (pid: number): SimProcessEntry | undefined => table.present().find((entry) => entry.pid === pid)

  const isRunning = ({ phase }: SimProcessEntry): boolean => phase === "running" || phase === "dying"

  const start = (spec: StartSpec, report: ProcessReport): StartedProcess => {
    let isReleased = false
    const output = (stream: OutputStream) => {
      const pipe = makeSimOutput(
        { clock, delay },
        {
          received: (bytes) => report.output(stream, bytes),
          ended: () => report.outputEnded(stream, null)
        }
      )
      pipes.add(pipe)
      return pipe
    }
    const { stderrFile } = spec
    const stderr = (): SimOutput =>
      stderrFile === undefined
        ? output("stderr")
        : makeSimFileOutput((bytes) => options.files?.append(stderrFile, new TextDecoder().decode(bytes)))
    const outputs = { stdout: output("stdout"), stderr: stderr() }
    const input = makeSimInput({ clock, delay }, inputRoomBytes)
    if (spec.stdin === "null") input.end()
    const release = (): void => {
      isReleased = true
      for (const pipe of Object.values(outputs)) pipe.release()
      input.close()
    }
    const begin = (): void => {
      if (isOver) return
      const program = programs[spec.program]
      if (program === undefined || "refusedWith" in program) {
        release()
        const code = program?.refusedWith ?? "ENOENT"
        report.failed({ code, reason: code })
        return
      }
      const entry = table.begin({
        mark: spec.environment[ownerVariable] ?? null,
        hasLeft: false,
        script: program,
        spec,
        pipes: outputs,
        input,
        exited: (status) => {
          if (!isOver) report.exited(status)
        },
        group: null,
        holds: ["stdout", "stderr"]
      })
      if (stderrFile !== undefined) options.files?.put(stderrFile, "")
      report.started(entry.pid)
      if (stderrFile !== undefined) report.outputEnded("stderr", null)
    }
    const ms = delay("process/start")
    if (ms === 0) begin()
    else clock.arm(ms, "process/start", begin)
    return {
      write: (bytes, done) => (isReleased ? done("closed") : input.write(bytes, done)),
      endInput: () => input.end(),
      pause: (stream) => outputs[stream].pause(),
      resume: (stream) => outputs[stream].resume(),
      release
    }
  }

  const port: ProcessPort = {
    ownGroup,
    canTerminate: options.canTerminate ?? true,
    showsMarks: options.showsMarks ?? true,
    find({ program, cwd }) {
      if (directories !== undefined && !directories.includes(cwd)) return { kind: "cwd missing" }
      return programs[program] === undefined ? { kind: "program missing" } : { kind: "found", program }
    },
    start,
    signalGroup,
    signalOne(target, signal) {
      const entry = find(target)
      return send(entry === undefined ? [] : [entry], { target, isGroup: false, signal })
    },
    isAlive(pid) {
      const entry = find(pid)
      return entry !== undefined && isRunning(entry)
    },
    marked: (mark) =>
      (options.showsMarks === false ? [] : table.present()).flatMap((entry) => {
        const spawnId = entry.mark === null ? null : spawnIdOf(entry.mark, mark.runId)
        if (entry.mark === null || spawnId === null || !isRunning(entry) || !carriesMark(entry.mark, mark)) return []
        return [{ pid: entry.pid, startTime: entry.startTime, spawnId }]
      }),
    killMarked({ pid, startTime }) {
      const entry = find(pid)
      if (entry === undefined || entry.startTime !== startTime) return { kind: "gone" }
      return send([entry], { target: pid, isGroup: false, signal: "SIGKILL" })
    },
    beginRun(runId) {
      runs.add(runId)
      return {
        guard(group) {
          guarded.add(group)
          return () => void guarded.delete(group)
        },
        end(done) {
          runs.delete(runId)
          clock.arm(delay("process/run"), "process/run", done)
        }
      }
    }
  }

  return {
    port,
    signals,
    ours: () => table.present().filter(({ mark }) => mark !== null),
    beginStranger: table.beginStranger,
    guarded: () => [...guarded],
    openPipes: () => [...pipes].filter((pipe) => pipe.isOpen()).length,
    endHarness() {
      for (const group of guarded) signalGroup(group, "SIGKILL")
      for (const runId of runs) for (const found of port.marked({ runId, spawnId: null })) port.killMarked(found)
      isOver = true
    }
  }
}
