import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs"
import { carriesMark, type MarkedProcess, type OwnerMark, ownerVariable, spawnIdOf } from "../domain/owner-mark.ts"

/** What Linux says of a process. */
export interface ProcessStat {
  /** One letter: `Z` and `X` have ended. */
  readonly state: string
  readonly parent: number
  readonly group: number
  /** In ticks since the machine started; with the number it names one process. */
  readonly startTime: string
}

/** What the machine says of a process; `null` when there is none, or it says nothing. @since 0.1.0 @category processes */
export const processStat = (pid: number): ProcessStat | null => {
  const text = readOrNull(`/proc/${pid}/stat`)
  // The name of the program comes before these, in brackets, and may hold anything.
  const [state, parent, group, ...rest] = text?.slice(text.lastIndexOf(")") + 2).split(" ") ?? []
  const startTime = rest[16]
  return state === undefined || group === undefined || startTime === undefined
    ? null
    : { state, parent: Number(parent), group: Number(group), startTime }
}

/**
 * Whether a process runs under a number. Who may not be signalled is alive; who has ended and was not yet taken off is not.
 *
 * **Source** agent-harness.md, section 1.9.9
 *
 * @since 0.1.0
 * @category processes
 */
export const pidAlive = (pid: number): boolean => {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (codeOf(error) !== "EPERM") return false
  }
  return !hasEnded(processStat(pid))
}

/** Whether what the machine says is that a process has ended. */
export const hasEnded = (stat: ProcessStat | null): boolean => stat !== null && /^[ZX]$/.test(stat.state)

/**
 * The processes that carry a mark, by number. Those of other users cannot be seen, and neither can any where there is no `/proc`.
 *
 * @since 0.1.0
 * @category processes
 */
export const markedProcesses = (mark: OwnerMark): ReadonlyArray<MarkedProcess> =>
  entriesOf("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((one, other) => one - other)
    .flatMap((pid) => {
      if (!mayCarry(pid, mark)) return []
      // The time before the mark: should the number become another's in between, that one is not signalled.
      const stat = processStat(pid)
      const value = ownerOf(pid)
      if (stat === null || value === null || hasEnded(stat) || !carriesMark(value, mark)) return []
      return [{ pid, startTime: stat.startTime, spawnId: spawnIdOf(value, mark.runId) ?? 0 }]
    })

/** Room for the environments of most processes. */
const room = Buffer.alloc(128 * 1024)

/** Whether the environment of a process holds the text of a mark. Most don't, and they are many: this one is quick. */
const mayCarry = (pid: number, { runId }: OwnerMark): boolean => {
  let file: number | null = null
  try {
    file = openSync(`/proc/${pid}/environ`, "r")
    let length = 0
    for (let read = -1; read !== 0 && length < room.length; length += read) {
      read = readSync(file, room, length, room.length - length, null)
    }
    return length === room.length || room.subarray(0, length).includes(`${ownerVariable}=${runId}:`)
  } catch {
    return false
  } finally {
    if (file !== null) closeSync(file)
  }
}

/** The value of our variable in the environment of a process. */
const ownerOf = (pid: number): string | null => {
  const variables = readOrNull(`/proc/${pid}/environ`)?.split("\0") ?? []
  const found = variables.find((variable) => variable.startsWith(`${ownerVariable}=`))
  return found?.slice(ownerVariable.length + 1) ?? null
}

const readOrNull = (path: string): string | null => {
  try {
    return readFileSync(path, "latin1")
  } catch {
    return null
  }
}

const entriesOf = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The code of an error of the system, as in `ESRCH`; `null` of any other. */
export const codeOf = (error: unknown): string | null => {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : null
  return typeof code === "string" ? code : null
}
