import { delayMsMax } from "../../domain/durations.ts"
import { InvalidOption } from "../../domain/errors.ts"
import type { ExitStatus, TerminationReason } from "../../domain/exit-status.ts"
import { KillTimeout } from "../../domain/harness-errors.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { OutputStream } from "../../ports/process-port.ts"
import type { OutputTail } from "./output-tail.ts"
import type { ProcessActor } from "./process-actor.ts"
import { processDiagnostics, type Redact } from "./process-diagnostics.ts"
import type { OutputFlow, OutputReader } from "./process-output.ts"

/**
 * A process that we started, with its group.
 *
 * **Source** agent-harness.md, section 1.9
 *
 * @since 0.1.0
 * @category processes
 */
export interface OwnedProcess {
  readonly label: string
  /** Its number, which is that of its group; `undefined` once it has been taken off: the number may be another's. */
  readonly pid: number | undefined
  readonly status: ExitStatus | undefined
  /** What ended it; `undefined` while nothing was asked and it runs. */
  readonly terminationReason: TerminationReason | undefined
  /** The end of what it wrote, not made fit to be shown. */
  readonly stdout: OutputTail
  readonly stderr: OutputTail
  /** Whether its output had not ended a second after it had. */
  readonly hasDrainTimedOut: boolean
  /** What signals met other than that there was nobody any more; the first sixteen. */
  readonly lifecycleErrors: ReadonlyArray<string>
  /** Numbers of descendants that left its group and outlived its close: allowed, or impossible to kill. */
  readonly survivors: ReadonlyArray<number>
  /** Waits for its end and the end of its output. Gives `still running` after `ms`. Never ends it. */
  waitFor(ms: number): Promise<ExitStatus | "still running">
  /** The same without a bound. */
  wait(): Promise<ExitStatus>
  /** Waits for its end alone: its output may still come. */
  waitForExit(): Promise<ExitStatus>
  /** Asks its group to end, and waits for nothing. */
  startTerminate(): void
  /** Kills its group, and waits for nothing. */
  startKill(): void
  /**
   * Asks its group to end, kills it after the grace period, and waits until nothing of it is left.
   *
   * **Fails** with `KillTimeout`
   */
  close(): Promise<ExitStatus>
  /** The same without asking. */
  kill(): Promise<ExitStatus>
  /**
   * Writes to its input, text as UTF-8. Resolves when it has left: who waits for that gets back-pressure.
   *
   * **Fails** with `AgentInputClosed` when it reads no more, `FrameTooLarge` when more than 128 MiB wait already
   */
  write(data: string | Uint8Array): Promise<void>
  /** Lets it read an end, behind what was written. The process goes on. */
  endInput(): void
  /**
   * Gives what a piped stream brings to a reader, from its first byte on.
   *
   * **Fails** with `InvalidOption` when the stream is captured, or has a reader
   */
  read(stream: OutputStream, reader: OutputReader): OutputFlow
  /** What is known of it, with what is secret replaced. */
  diagnostics(): string
  /** Kills it if it runs, and waits until nothing of it is left. */
  [Symbol.asyncDispose](): Promise<void>
}

/** What a chart tells a handle. */
export interface HandleEvents {
  exited(): void
  stuck(): void
  drained(): void
  reaped(): void
}

interface Waiter {
  readonly resolve: (status: ExitStatus) => void
  readonly reject: (error: Error) => void
}

/** @since 0.1.0 @category constructors */
export const makeOwnedProcess = (options: {
  readonly process: ProcessActor
  readonly clock: Clock
  readonly redact: Redact
}): { readonly handle: OwnedProcess; readonly events: HandleEvents } => {
  const { process, clock, redact } = options
  const waitsForExit = new Set<(status: ExitStatus) => void>()
  const waitsForOutput = new Set<(status: ExitStatus) => void>()
  const waitsForEnd = new Set<Waiter>()
  let isStuck = false
  /** Nobody waits for the output once the status is known to somebody. */
  let isTold = false

  const context = () => process.snapshot.context
  const { label, input, outputs, supervisor } = process.data
  const diagnostics = (): string => processDiagnostics(process, redact)
  const deliver = (event: { readonly type: "terminate" | "close" | "kill" | "disposed" }): void => {
    if (process.snapshot.status === "active") supervisor.deliver(process, event)
  }
  const told = (status: ExitStatus): ExitStatus => {
    isTold = true
    return status
  }
  const stuckError = (): Error => new KillTimeout(label, { ms: context().killWaitMs, diagnostics: diagnostics() })

  /** Settles when nothing of the process is left, or it cannot be killed. */
  const over = (): Promise<ExitStatus> =>
    new Promise((resolve, reject) => {
      const { status } = context()
      if (process.snapshot.status === "done" && status !== null) return resolve(told(status))
      if (isStuck && status === null) return reject(stuckError())
      waitsForEnd.add({ resolve, reject })
    })

  const wait = (ms: number | null, late: () => void, resolve: (status: ExitStatus) => void): void => {
    const { status } = context()
    if (status !== null && isTold) {
      resolve(status)
      return
    }
    const settle = (known: ExitStatus): void => {
      forget()
      resolve(known)
    }
    const look = (): void => {
      waitsForOutput.delete(settle)
      const now = context().status
      if (now === null) late()
      else resolve(told(now))
    }
    const forget = ms === null ? () => {} : clock.arm(ms, "process wait", look)
    waitsForOutput.add(settle)
  }

  return {
    events: {
      exited() {
        const { status } = context()
        if (status !== null) for (const settle of waitsForExit) settle(status)
        waitsForExit.clear()
      },
      stuck() {
        isStuck = true
        for (const { reject } of waitsForEnd) reject(stuckError())
        waitsForEnd.clear()
      },
      drained() {
        const { status } = context()
        isTold = true
        if (status !== null) for (const settle of waitsForOutput) settle(status)
        waitsForOutput.clear()
      },
      reaped() {
        const { status } = context()
        if (status !== null) for (const { resolve } of waitsForEnd) resolve(told(status))
        waitsForEnd.clear()
      }
    },
    handle: {
      label,
      get pid() {
        return context().pid ?? undefined
      },
      get status() {
        return context().status ?? undefined
      },
      get terminationReason() {
        return context().reason ?? undefined
      },
      stdout: outputs.stdout.tail,
      stderr: outputs.stderr.tail,
      get hasDrainTimedOut() {
        return context().drainTimedOut
      },
      get lifecycleErrors() {
        return context().problems
      },
      get survivors() {
        return context().survivors.map(({ pid }) => pid)
      },
      async waitFor(ms) {
        if (!(ms >= 0 && ms <= delayMsMax))
          throw new InvalidOption(`waitFor(${ms}): give milliseconds from 0 to ${delayMsMax}, or use wait()`)
        return new Promise((resolve) => wait(ms, () => resolve("still running"), resolve))
      },
      wait: () => new Promise((resolve) => wait(null, () => {}, resolve)),
      waitForExit: () =>
        new Promise((resolve) => {
          const { status } = context()
          if (status === null) waitsForExit.add(resolve)
          else resolve(status)
        }),
      startTerminate: () => deliver({ type: "terminate" }),
      startKill: () => deliver({ type: "kill" }),
      close() {
        deliver({ type: "close" })
        return over()
      },
      kill() {
        deliver({ type: "kill" })
        return over()
      },
      write: (data) => input.write(typeof data === "string" ? new TextEncoder().encode(data) : data),
      endInput: () => input.end(),
      read(stream, reader) {
        const flow = outputs[stream].attach(reader)
        if (flow !== null) return flow
        throw new InvalidOption(
          `${stream} of ${label} is not there to be read: start it with "piped", and read it once`
        )
      },
      diagnostics,
      async [Symbol.asyncDispose]() {
        deliver({ type: "disposed" })
        await over()
      }
    }
  }
}
