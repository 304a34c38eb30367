import { reapMsMax } from "../domain/process-limits.ts"
import { killMarked } from "./kill-marked.ts"
import { hasEnded, markedProcesses, processStat } from "./proc-files.ts"
import { sendSignal } from "./send-signal.ts"

/**
 * The groups of one run that must not outlive this process. They are killed when it exits, also by an error that nobody caught, and
 * when it is told to end by a signal; how it ends is left as it would have been.
 *
 * **Source** agent-harness.md, section 1.9.8
 *
 * @since 0.1.0
 * @category processes
 */
export interface ExitGuard {
  add(group: number): void
  remove(group: number): void
  size(): number
  /** Listens for nothing any more, once no group is left. */
  end(): void
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/** Between two looks whether those that were killed are gone. */
const lookMs = 2

/** The groups of a run. */
interface Guarded {
  readonly runId: string
  readonly groups: Set<number>
  readonly heedsSignals: boolean
  readonly tidy: () => void
}

/** Of all runs that have begun and not ended: a process has one end, and is listened to once. */
const guarded = new Set<Guarded>()

let isListening = false
let isHeeding = false

/**
 * **Takes** `heedsSignals`: whether signals are listened for, besides the exit. Who says no has to end the process by itself when one comes;
 * `tidy`: what is done last, when the groups are gone, and may not fail
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeExitGuard = (
  runId: string,
  { heedsSignals = true, tidy = () => {} }: { readonly heedsSignals?: boolean; readonly tidy?: () => void } = {}
): ExitGuard => {
  const groups = new Set<number>()
  const run: Guarded = { runId, groups, heedsSignals, tidy }
  let isOver = false
  const forgetIfOver = (): void => {
    if (!isOver || groups.size > 0) return
    guarded.delete(run)
    if (guarded.size === 0) stopListening()
  }
  return {
    add(group) {
      groups.add(group)
      guarded.add(run)
      listen()
      if (heedsSignals) heed()
    },
    remove(group) {
      groups.delete(group)
      forgetIfOver()
    },
    size: () => groups.size,
    end() {
      isOver = true
      forgetIfOver()
    }
  }
}

const listen = (): void => {
  if (!isListening) process.on("exit", onExit)
  isListening = true
}

const heed = (): void => {
  if (!isHeeding) for (const signal of signals) process.on(signal, onSignal)
  isHeeding = true
}

const stopListening = (): void => {
  isListening = false
  process.off("exit", onExit)
  stopHeeding()
}

const stopHeeding = (): void => {
  isHeeding = false
  for (const signal of signals) process.off(signal, onSignal)
}

const onExit = (): void => {
  endAll([...guarded])
}

const onSignal = (signal: NodeJS.Signals): void => {
  const heeding = [...guarded].filter(({ heedsSignals }) => heedsSignals)
  killAll(heeding)
  stopHeeding()
  // Whoever else listens decides what becomes of this process. Nobody does: then it ends as it would have without us.
  if (process.listenerCount(signal) > 0) return
  endAll(heeding)
  process.kill(process.pid, signal)
}

const endAll = (runs: ReadonlyArray<Guarded>): void => {
  killAll(runs)
  awaitEnd(runs.flatMap(({ groups }) => [...groups]))
  for (const { tidy } of runs) tidy()
}

const killAll = (runs: ReadonlyArray<Guarded>): void => {
  for (const { groups } of runs) for (const group of groups) sendSignal(group, "SIGKILL", { isGroup: true })
  // Those that left their group.
  for (const { runId } of runs) for (const found of markedProcesses({ runId, spawnId: null })) killMarked(found)
}

/** Waits, for a moment and without giving way, until the leaders of groups are gone. Only Linux tells. */
const awaitEnd = (groups: ReadonlyArray<number>): void => {
  if (process.platform !== "linux") return
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let waited = 0; waited < reapMsMax && groups.some(isThere); waited += lookMs) {
    Atomics.wait(pause, 0, 0, lookMs)
  }
}

const isThere = (pid: number): boolean => {
  const stat = processStat(pid)
  return stat !== null && !hasEnded(stat)
}
