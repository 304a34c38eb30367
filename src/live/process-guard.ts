import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { hasCode } from "../domain/error-like.ts"
import { isRecord } from "../domain/json.ts"
import { pidAlive, processStat } from "./proc-files.ts"

/**
 * A file that one process holds at a time, for as long as it likes; that of a process which is gone can be taken.
 *
 * **Fails** with errors of the file system
 *
 * @since 0.1.0
 * @category services
 */
export interface ProcessGuard {
  /** Takes it if nobody holds it who is alive. */
  take(): boolean
  /** Gives it back if this process holds it. */
  giveBack(): void
  /** The process that holds it and is alive; `null` for nobody, and when that cannot be found out. */
  holder(): number | null
}

/** @since 0.1.0 @category constructors */
export const processGuard = (path: string): ProcessGuard => {
  /** Who clears a guard away holds this one for it. */
  const clearing = `${path}.gone`
  const take = (): boolean => {
    if (isMade(path)) return true
    if (holderOf(path) !== "gone") return false
    if (!isMade(clearing)) {
      // Whoever cleared was killed in the middle of it. The next try finds none.
      if (holderOf(clearing) === "gone") rmSync(clearing, { force: true })
      return false
    }
    try {
      // The one that is there by now may be that of somebody who cleared before.
      if (holderOf(path) === "gone") rmSync(path, { force: true })
      return isMade(path)
    } finally {
      rmSync(clearing, { force: true })
    }
  }
  const holder = (): number | null => {
    try {
      const found = holderOf(path)
      return typeof found === "number" ? found : null
    } catch {
      // Where nothing can be read, nobody is known.
      return null
    }
  }
  return {
    take,
    giveBack() {
      if (holder() === process.pid) rmSync(path, { force: true })
    },
    holder
  }
}

/** Only one can make a file that is not there; nobody sees it without its content. */
const isMade = (path: string): boolean => {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, JSON.stringify({ pid: process.pid, startTime: startTimeOf(process.pid) }))
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** The process that has made a file, `gone` when it is no more; `null` when there is no such file. */
const holderOf = (path: string): number | "gone" | null => {
  let text: string
  try {
    text = readFileSync(path, "utf8")
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null
    throw error
  }
  const { pid, startTime } = madeBy(text)
  if (pid === null || !pidAlive(pid)) return "gone"
  // Its number has become another's.
  const isOther = startTime !== null && startTime !== startTimeOf(pid)
  return isOther ? "gone" : pid
}

/** When a process has started, as the machine counts it; `null` where it does not say. */
const startTimeOf = (pid: number): string | null => processStat(pid)?.startTime ?? null

const madeBy = (text: string): { readonly pid: number | null; readonly startTime: string | null } => {
  const value = parsed(text)
  const pid = isRecord(value) ? value["pid"] : null
  const startTime = isRecord(value) ? value["startTime"] : null
  return { pid: typeof pid === "number" ? pid : null, startTime: typeof startTime === "string" ? startTime : null }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
