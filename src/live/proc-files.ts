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
  const [state, parent, group, ...rest] = statFields(pid)
  const startTime = rest[16]
  return state === undefined || group === undefined || startTime === undefined
    ? null
    : { state, parent: Number(parent), group: Number(group), startTime }
}

/** What stands behind the name of the program, which is in brackets and may hold anything. */
const statFields = (pid: number): ReadonlyArray<string> => {
  const text = readOrNull(`/proc/${pid}/stat`)
  return text?.slice(text.lastIndexOf(")") + 2).split(" ") ?? []
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

/** How often it is looked again while a process can show no environment, and the pause before that. */
const looksMax = 50
const lookMs = 2

/**
 * The processes that carry a mark, by number. Those of other users cannot be seen, and neither can any where there is no `/proc`.
 *
 * A process that is being given another program has no environment for a moment: while there is one, it is looked again, for at most
 * 100 ms and without giving way: on a busy machine it may stand still in between.
 *
 * @since 0.1.0
 * @category processes
 */
export const markedProcesses = (mark: OwnerMark): ReadonlyArray<MarkedProcess> => {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let looks = 1; ; looks++) {
    const look: Look = { hasBlank: false, blank: new Map() }
    const found = findMarked(mark, look)
    blankLooks = look.blank
    if (!look.hasBlank || looks === looksMax) return found
    Atomics.wait(pause, 0, 0, lookMs)
  }
}

interface Look {
  /** Whether there is one whose environment could not be seen. */
  hasBlank: boolean
  readonly blank: Map<number, BlankLooks>
}

const findMarked = (mark: OwnerMark, look: Look): ReadonlyArray<MarkedProcess> =>
  entriesOf("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((one, other) => one - other)
    .flatMap((pid) => {
      const text = environmentText(pid, mark)
      if (text === "blank" && !isAlwaysBlank(pid, look.blank)) look.hasBlank = true
      if (text !== "marked") return []
      // The time before the mark: should the number become another's in between, that one is not signalled.
      const stat = processStat(pid)
      const value = ownerOf(pid)
      if (value === null) look.hasBlank = true
      if (stat === null || value === null || hasEnded(stat) || !carriesMark(value, mark)) return []
      return [{ pid, startTime: stat.startTime, spawnId: spawnIdOf(value, mark.runId) ?? 0 }]
    })

/** Room for the environments of most processes. */
const room = Buffer.alloc(128 * 1024)

/**
 * What the environment of a process holds: perhaps the text of a mark, none, or nothing at all. Most hold none, and they are many: this
 * is quick.
 */
const environmentText = (pid: number, { runId }: OwnerMark): "marked" | "unmarked" | "blank" => {
  let file: number | null = null
  try {
    file = openSync(`/proc/${pid}/environ`, "r")
    let length = 0
    for (let read = -1; read !== 0 && length < room.length; length += read) {
      read = readSync(file, room, length, room.length - length, null)
    }
    if (length === 0) return "blank"
    const isMarked = length === room.length || room.subarray(0, length).includes(`${ownerVariable}=${runId}:`)
    return isMarked ? "marked" : "unmarked"
  } catch {
    return "unmarked"
  } finally {
    if (file !== null) closeSync(file)
  }
}

/** The parent of what the kernel runs by itself, which has neither environment nor arguments. */
const kernelParent = 2

/** Where `stat` says when a process started, at which address its environment begins, and where it ends. */
const fieldOf = { startTime: 19, environmentStart: 47, environmentEnd: 48 } as const

/** As often one has to look as if it had none: a new program's environment looks so while it is being written. */
const blankLooksMin = 3

/** Processes that looked so at the last look: when they started, and how often in a row. */
let blankLooks: ReadonlyMap<number, BlankLooks> = new Map()

interface BlankLooks {
  readonly startTime: string | undefined
  readonly count: number
}

/** Whether a process that showed no environment has none: a thread of the kernel, a dead one, one that was started without. */
const isAlwaysBlank = (pid: number, seen: Map<number, BlankLooks>): boolean => {
  const fields = statFields(pid)
  const [state = "X", parent] = fields
  if (/^[ZX]$/.test(state) || pid === kernelParent || Number(parent) === kernelParent) return true
  const [startTime, start, end] = Object.values(fieldOf).map((field) => fields[field])
  if (start === "0" || start !== end) return false
  const known = blankLooks.get(pid)
  const count = known !== undefined && known.startTime === startTime ? known.count + 1 : 1
  seen.set(pid, { startTime, count })
  return count >= blankLooksMin
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
