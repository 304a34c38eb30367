/** The variable by which a process can be told to be ours; its descendants inherit it. */
export const ownerVariable = "HARNESS_OWNER"

/**
 * Which processes a mark is on: all that a run started, or those of one start and their descendants.
 *
 * **Source** agent-harness.md, section 1.9.6
 *
 * @since 0.1.0
 * @category processes
 */
export interface OwnerMark {
  /** 32 hexadecimal digits. */
  readonly runId: string
  /** Running number of the start in its run, from 1; `null` for all. */
  readonly spawnId: number | null
}

/** The value of the variable for one start. */
export const ownerValue = (runId: string, spawnId: number): string => `${runId}:${spawnId}`

/** Which start a value of the variable tells of; `null` when it is of another run, or no such value. */
export const spawnIdOf = (value: string, runId: string): number | null => {
  const [run, spawn = "", ...rest] = value.split(":")
  return run === runId && rest.length === 0 && /^[1-9]\d*$/.test(spawn) ? Number(spawn) : null
}

/** Whether a value of the variable carries a mark. */
export const carriesMark = (value: string, { runId, spawnId }: OwnerMark): boolean => {
  const found = spawnIdOf(value, runId)
  return found !== null && (spawnId === null || spawnId === found)
}

/** A process that carries a mark. Its number alone could be another's by the time it is signalled. */
export interface MarkedProcess {
  readonly pid: number
  /** When it started, as the machine counts it. */
  readonly startTime: string
  readonly spawnId: number
}
