import { delayMsMax } from "../../domain/durations.ts"
import { InvalidOption } from "../../domain/errors.ts"
import type { ExitStatus } from "../../domain/exit-status.ts"
import { KillTimeout } from "../../domain/harness-errors.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { OwnedProcess } from "./owned-process.ts"
import type { ProcessActor } from "./process-actor.ts"
import { processDiagnostics, type Redact } from "./process-diagnostics.ts"

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
  const { label, mark, input, outputs, supervisor } = process.data
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
      spawnId: mark.spawnId ?? 0,
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
