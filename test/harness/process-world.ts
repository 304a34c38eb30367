import { randomBytes } from "node:crypto"
import { onTestFinished } from "vitest"
import { redactedOutput } from "../../src/harness/diagnostics/sanitised-output.ts"
import type { OwnedProcess } from "../../src/harness/process/owned-process.ts"
import { makeProcessHost, type ProcessHost } from "../../src/harness/process/process-host.ts"
import type { ProcessOptions } from "../../src/harness/process/process-options.ts"
import type { Clock } from "../../src/kernel/clock.ts"
import { makeTrace, type Trace } from "../../src/kernel/trace.ts"
import { liveClock } from "../../src/live/clock.ts"
import { makeLiveProcesses } from "../../src/live/processes.ts"
import { makeSupervisor, type Supervisor } from "../../src/supervisor/supervisor.ts"

/** Real processes of one test. All that is left of them is killed when it is over. */
export interface ProcessWorld {
  readonly host: ProcessHost
  readonly supervisor: Supervisor
  readonly trace: Trace
  /** Timers that were armed, have not fired and were not forgotten. */
  armed(): number
  /** Starts a script of the POSIX shell. */
  sh(script: string, options?: Partial<ProcessOptions>): Promise<OwnedProcess>
  /** Starts a program of Node, given as text of a module. */
  node(program: string, options?: Partial<ProcessOptions>): Promise<OwnedProcess>
}

/** `watchdog`: whether one stands by from the first process on; most tests need none. */
export const makeProcessWorld = ({ watchdog = false }: { readonly watchdog?: boolean } = {}): ProcessWorld => {
  const armed = new Set<object>()
  const clock: Clock = {
    ...liveClock,
    arm(ms, label, fire) {
      const timer = { label }
      armed.add(timer)
      const forget = liveClock.arm(ms, label, () => {
        armed.delete(timer)
        fire()
      })
      return () => {
        armed.delete(timer)
        forget()
      }
    }
  }
  const trace = makeTrace(clock)
  const supervisor = makeSupervisor({ clock, trace })
  const host = makeProcessHost(
    { supervisor, clock, processes: makeLiveProcesses(watchdog ? {} : { watchdog }) },
    { runId: randomBytes(16).toString("hex"), redact: redactedOutput }
  )
  onTestFinished(() => host.close().catch(() => {}))
  const base = { cwd: "/", environment: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" } }
  return {
    host,
    supervisor,
    trace,
    armed: () => armed.size,
    sh: (script, options) => host.spawn({ ...base, program: "/bin/sh", args: ["-c", script], ...options }),
    node: (program, options) =>
      host.spawn({ ...base, program: process.execPath, args: ["--input-type=module", "-e", program], ...options })
  }
}

/** The first lines of a piped stream. */
export const lines = (process: OwnedProcess, count = 1): Promise<ReadonlyArray<string>> =>
  new Promise((resolve, reject) => {
    let text = ""
    let isThere = false
    const decoder = new TextDecoder()
    process.read("stdout", {
      received(bytes) {
        if (isThere) return
        text += decoder.decode(bytes, { stream: true })
        const complete = text.split("\n").slice(0, -1)
        isThere = complete.length >= count
        if (isThere) resolve(complete.slice(0, count))
      },
      ended: () => reject(new Error(`${process.label} ended after ${JSON.stringify(text)}`))
    })
  })

/** A number that a process writes, from the tail of its captured output. */
export const writtenPid = async (process: OwnedProcess): Promise<number> => {
  while (!process.stdout.text().includes("\n")) await new Promise((resolve) => setTimeout(resolve, 5))
  return Number.parseInt(process.stdout.text(), 10)
}

/** Waits until a process is gone; only the limit of the test bounds that. */
export const gone = async (host: ProcessHost, ...pids: ReadonlyArray<number>): Promise<void> => {
  while (pids.some((pid) => host.pidAlive(pid))) await new Promise((resolve) => setTimeout(resolve, 5))
}
