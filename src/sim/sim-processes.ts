import type { ExitStatus } from "../domain/exit-status.ts"
import type { Choice } from "../kernel/choice.ts"
import type { Clock } from "../kernel/clock.ts"
import type { OutputStream, ProcessSignal, StartSpec } from "../ports/process-port.ts"
import type { DrawDelay, SimInput, SimOutput } from "./process-pipes.ts"
import type { SimScript, SimSelf, SimStep } from "./process-script.ts"

/** A process of a simulated machine. */
export interface SimProcessEntry {
  readonly pid: number
  readonly group: number
  /** Whether it, or who started it, has left the group of the process that we started. */
  readonly hasLeft: boolean
  /** The value of the variable that marks our processes; `null` for a process that has nothing to do with us. */
  readonly mark: string | null
  readonly startTime: string
  readonly script: SimScript
  /** How it was started; `null` unless we started it ourselves. */
  readonly spec: StartSpec | null
  readonly pipes: Readonly<Record<OutputStream, SimOutput>> | null
  readonly input: SimInput | null
  /** Called in the notification of its end; `null` unless we started it ourselves. */
  readonly exited: ((status: ExitStatus) => void) | null
  /** `ended` is a process that was not yet taken off. */
  phase: "running" | "dying" | "ended" | "gone"
  at: number
  forget: () => void
  /** What is done when it ends. */
  readonly ends: Array<() => void>
}

/** The processes of a simulated machine. */
export interface SimTable {
  /** Lets a process begin. Its number is one that nobody has. */
  begin(
    entry: Pick<SimProcessEntry, "mark" | "hasLeft" | "script" | "spec" | "pipes" | "input" | "exited"> & {
      readonly group: number | null
      readonly holds: ReadonlyArray<OutputStream>
    }
  ): SimProcessEntry
  /** Lets a process begin that has nothing to do with us. Gives its number. */
  beginStranger(): number
  signal(entry: SimProcessEntry, signal: ProcessSignal): void
  /** Those with a number, also ended ones. */
  present(): ReadonlyArray<SimProcessEntry>
}

const firstPid = 100

const streams = ["stdout", "stderr"] as const

/**
 * A machine without processes. A number that became free is given to the next process, which may be a stranger's: so a signal that comes too late
 * hits somebody.
 *
 * @since 0.1.0
 * @category simulation
 */
export const makeSimTable = (world: {
  readonly clock: Clock
  readonly choice: Choice
  readonly delay: DrawDelay
}): SimTable => {
  const { clock, choice, delay } = world
  const entries: Array<SimProcessEntry> = []
  let started = 0

  const present = (): ReadonlyArray<SimProcessEntry> => entries.filter(({ phase }) => phase !== "gone")

  /** The lowest number that is no process's and no group's. */
  const freePid = (): number => {
    const taken = new Set(present().flatMap(({ pid, group }) => [pid, group]))
    let pid = firstPid
    while (taken.has(pid)) pid++
    return pid
  }

  const begin: SimTable["begin"] = ({ group, holds, ...rest }) => {
    const pid = freePid()
    const entry: SimProcessEntry = {
      ...rest,
      pid,
      group: group ?? pid,
      startTime: String(++started),
      phase: "running",
      at: 0,
      forget: () => {},
      ends: []
    }
    entries.push(entry)
    for (const stream of holds) entry.pipes?.[stream].hold(pid)
    soon(entry)
    return entry
  }

  /** The next step of a process, after a moment. */
  const soon = (entry: SimProcessEntry, ms = 0): void => {
    if (ms === Number.POSITIVE_INFINITY) return
    entry.forget = clock.arm(ms + delay("process/step"), "process/step", () => {
      const step = entry.script.steps[entry.at++]
      if (step === undefined) end(entry, { code: 0, signal: null })
      else if (step.kind === "exit") end(entry, { code: step.code, signal: null })
      else if (step.kind === "crash") end(entry, { code: null, signal: step.signal })
      else if (step.kind === "read") entry.input?.read(() => goOn(entry))
      else if (step.kind === "run") handOver(entry, step.start)
      else soon(entry, perform(entry, step))
    })
  }

  const goOn = (entry: SimProcessEntry): void => {
    if (entry.phase === "running") soon(entry)
  }

  const handOver = (entry: SimProcessEntry, start: (SimStep & { readonly kind: "run" })["start"]): void => {
    const whileRunning = (act: () => void) => (): void => {
      if (entry.phase === "running") act()
    }
    const self: SimSelf = {
      pid: entry.pid,
      spec: entry.spec,
      clock: { ...clock, arm: (ms, label, fire) => clock.arm(ms, label, whileRunning(fire)) },
      write: (stream, bytes) => whileRunning(() => entry.pipes?.[stream].write(bytes))(),
      closeOutput: (stream) => whileRunning(() => entry.pipes?.[stream].letGo(entry.pid))(),
      end: (status) => whileRunning(() => end(entry, status))(),
      atEnd: (give) => entry.ends.push(give)
    }
    const reader = start(self)
    const readOn = (): void =>
      entry.input?.read((bytes) =>
        whileRunning(() => {
          if (bytes === null) reader.inputEnded()
          else {
            reader.received(bytes)
            readOn()
          }
        })()
      )
    readOn()
  }

  /** Gives for how many milliseconds the process then sleeps. */
  const perform = (
    entry: SimProcessEntry,
    step: Exclude<SimStep, { readonly kind: "exit" | "crash" | "read" | "run" }>
  ): number => {
    if (step.kind === "sleep") return step.ms
    if (step.kind === "write") entry.pipes?.[step.stream].write(step.bytes)
    else if (step.kind === "close input") entry.input?.close()
    else if (step.kind === "close output") entry.pipes?.[step.stream].letGo(entry.pid)
    else {
      const { mark, pipes } = entry
      const group = step.leaves ? null : entry.group
      const hasLeft = step.leaves || entry.hasLeft
      begin({
        mark,
        hasLeft,
        script: step.script,
        spec: null,
        pipes,
        input: null,
        exited: null,
        group,
        holds: step.holds
      })
    }
    return 0
  }

  const end = (entry: SimProcessEntry, status: ExitStatus): void => {
    if (entry.phase === "ended" || entry.phase === "gone") return
    entry.forget()
    entry.phase = "ended"
    for (const give of entry.ends.splice(0)) give()
    for (const stream of streams) entry.pipes?.[stream].letGo(entry.pid)
    entry.input?.close()
    clock.arm(delay("process/notice"), "process/notice", () => {
      // The number of its group is reserved until the notification is over.
      entry.exited?.(status)
      entry.phase = "gone"
      const isFree = present().every(({ group }) => group !== entry.pid)
      if (isFree && choice.draw(2, "process/stranger") === 1) beginStranger()
    })
  }

  const beginStranger = (): number => {
    const script: SimScript = { steps: [{ kind: "sleep", ms: Number.POSITIVE_INFINITY }] }
    const { pid } = begin({
      mark: null,
      hasLeft: true,
      script,
      spec: null,
      pipes: null,
      input: null,
      exited: null,
      group: null,
      holds: []
    })
    return pid
  }

  return {
    begin,
    beginStranger,
    present,
    signal(entry, signal) {
      const { onTerminate = "die", killDelayMs = 0 } = entry.script
      if (entry.phase !== "running") return
      if (signal === "SIGTERM" && onTerminate !== "die") {
        if (onTerminate === "ignore") return
        const { exitCode, afterMs } = onTerminate
        clock.arm(afterMs, "process/terminate", () => {
          if (entry.phase === "running") end(entry, { code: exitCode, signal: null })
        })
        return
      }
      entry.forget()
      entry.phase = "dying"
      const ms = (signal === "SIGKILL" ? killDelayMs : 0) + delay("process/death")
      if (ms === Number.POSITIVE_INFINITY) return
      entry.forget = clock.arm(ms, "process/death", () => end(entry, { code: null, signal }))
    }
  }
}
