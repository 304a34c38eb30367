import type { MarkedProcess, OwnerMark } from "../domain/owner-mark.ts"
import { hasEnded, markedProcesses, processStat } from "./proc-files.ts"

interface Found {
  readonly process: MarkedProcess
  readonly runId: string
}

/**
 * Makes a search for marked processes that keeps what it has found until that has ended. A process that dies gives its environment
 * back before it is dead, and one may replace it: either way its mark can be read no more while it is still there.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeFoundProcesses = (): ((mark: OwnerMark) => ReadonlyArray<MarkedProcess>) => {
  const found = new Map<number, Found>()
  return ({ runId, spawnId }) => {
    for (const [pid, { process }] of found) if (!isThere(process)) found.delete(pid)
    for (const process of markedProcesses({ runId, spawnId })) found.set(process.pid, { process, runId })
    return [...found.values()]
      .filter((one) => one.runId === runId && (spawnId === null || one.process.spawnId === spawnId))
      .map(({ process }) => process)
      .sort((one, other) => one.pid - other.pid)
  }
}

const isThere = ({ pid, startTime }: MarkedProcess): boolean => {
  const stat = processStat(pid)
  return stat?.startTime === startTime && !hasEnded(stat)
}
