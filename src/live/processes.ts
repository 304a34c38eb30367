import { spawnSync } from "node:child_process"
import type { ProcessPort, ProcessRun } from "../ports/process-port.ts"
import { startChild } from "./child-process.ts"
import { makeExitGuard } from "./exit-guard.ts"
import { findProgram } from "./find-program.ts"
import { makeFoundProcesses } from "./found-processes.ts"
import { killMarked } from "./kill-marked.ts"
import { pidAlive, processStat } from "./proc-files.ts"
import { sendSignal } from "./send-signal.ts"
import { startWatchdog, type Watchdog } from "./watchdog.ts"

/** How the processes of this machine are looked after. */
export interface LiveProcessOptions {
  /**
   * Whether a small process stands by that kills them should this one be killed itself. Default: where there is a POSIX shell, from the
   * first of them on. `true`: from the beginning, so that one is covered in the moment of its start too.
   */
  readonly watchdog?: boolean
  /**
   * Whether they are killed at once when this process is told to end by a signal. Default: yes. A program that closes them when a signal
   * comes, or takes it for something else, says no; at its exit they are killed all the same.
   */
  readonly heedsSignals?: boolean
  /** Done last when this process exits or ends by a signal, once they are killed. May not fail. */
  readonly tidy?: () => void
}

/**
 * The processes of this machine.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeLiveProcesses = (options: LiveProcessOptions = {}): ProcessPort => ({
  ownGroup: ownGroup(),
  canTerminate: process.platform !== "win32",
  showsMarks: process.platform === "linux",
  find: findProgram,
  start: startChild,
  signalGroup: (group, signal) => sendSignal(group, signal, { isGroup: true }),
  signalOne: (pid, signal) => sendSignal(pid, signal),
  isAlive: pidAlive,
  marked: makeFoundProcesses(),
  killMarked,
  beginRun: (runId) => beginRun(runId, options)
})

/** The watchdog is there from the first group on until the run has ended and none is left. */
const beginRun = (
  runId: string,
  { watchdog: wish, heedsSignals = true, tidy = () => {} }: LiveProcessOptions
): ProcessRun => {
  const isWatched = wish ?? process.platform !== "win32"
  const guard = makeExitGuard(runId, { heedsSignals, tidy })
  let watchdog: Watchdog | null = wish === true ? startWatchdog(runId) : null
  let isOver = false
  const endWatchdog = (done: () => void): void => {
    const ending = watchdog
    watchdog = null
    if (ending === null) done()
    else ending.end(done)
  }
  return {
    guard(group) {
      guard.add(group)
      if (isWatched) watchdog ??= startWatchdog(runId)
      watchdog?.add(group)
      return () => {
        guard.remove(group)
        watchdog?.remove(group)
        if (isOver && guard.size() === 0) endWatchdog(() => {})
      }
    },
    end(done) {
      isOver = true
      guard.end()
      if (guard.size() === 0) endWatchdog(done)
      else done()
    }
  }
}

const ownGroup = (): number | null => {
  const group = processStat(process.pid)?.group
  if (group !== undefined || process.platform === "win32") return group ?? null
  const { stdout } = spawnSync("ps", ["-o", "pgid=", "-p", String(process.pid)], { encoding: "utf8" })
  const told = Number(stdout)
  return Number.isInteger(told) && told > 0 ? told : null
}
