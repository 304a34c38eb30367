import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { hasCode } from "../domain/error-like.ts"
import { isRecord } from "../domain/json.ts"

/** What a lock needs of the machine. */
export interface LockPorts {
  /** Whether there is such a process on this machine. */
  isAlive(pid: number): boolean
  /** Lets others go on for a moment. */
  pause(): void
}

/** So often is a lock tried that another one holds: some seconds, when whoever holds it needs milliseconds. */
const triesMax = 500
const pauseMs = 10

/**
 * Does work on a file that no other process or thread does work on at the same time: who holds `FILE.lock` may. The lock of a
 * process of this machine that is gone is taken away.
 *
 * **Gives** what `work` gives
 * **Fails** with what `work` throws, with errors of the file system, and with an error that says who holds the lock when it was
 * held all the time
 *
 * @since 0.1.0
 * @category services
 */
export const whileLocked = <A>(path: string, work: () => A, ports: LockPorts = machine): A => {
  const lock = `${path}.lock`
  take(lock, ports)
  try {
    return work()
  } finally {
    rmSync(lock, { force: true })
  }
}

const take = (lock: string, ports: LockPorts): void => {
  for (let tries = 0; tries < triesMax; tries++) {
    if (isMade(lock)) return
    if (!breakStale(lock, ports)) ports.pause()
  }
  throw new Error(
    `${lock} is held by ${sayHolder(read(lock))}, and was not given back: remove it when nothing writes there`
  )
}

/** Only one can make a file that is not there. */
const isMade = (lock: string): boolean => {
  try {
    writeFileSync(lock, JSON.stringify({ pid: process.pid, host: hostname() }), { flag: "wx" })
    return true
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false
    throw error
  }
}

/**
 * Takes a lock away whose holder is gone. Who does that holds a lock for it, and looks again: the one that is there by then may be
 * that of somebody who did it before.
 */
const breakStale = (lock: string, ports: LockPorts): boolean => {
  if (!isStale(read(lock), ports)) return false
  const breaking = `${lock}.gone`
  if (!isMade(breaking)) return false
  try {
    const isStillStale = isStale(read(lock), ports)
    if (isStillStale) rmSync(lock, { force: true })
    return isStillStale
  } finally {
    rmSync(breaking, { force: true })
  }
}

interface Holder {
  readonly pid: number
  readonly host: string
}

/** `null` for one that is not there, or not written yet. */
const read = (lock: string): Holder | null => {
  try {
    const value: unknown = JSON.parse(readFileSync(lock, "utf8"))
    if (!isRecord(value)) return null
    const { pid, host } = value
    return typeof pid === "number" && typeof host === "string" ? { pid, host } : null
  } catch {
    return null
  }
}

/** Of processes elsewhere nothing is known here. */
const isStale = (holder: Holder | null, { isAlive }: LockPorts): boolean =>
  holder !== null && holder.host === hostname() && !isAlive(holder.pid)

const sayHolder = (holder: Holder | null): string =>
  holder === null ? "nobody knows whom" : `process ${holder.pid} of ${holder.host}`

const machine: LockPorts = {
  isAlive(pid) {
    try {
      return process.kill(pid, 0)
    } catch (error) {
      // One of somebody else is there too.
      return hasCode(error, "EPERM")
    }
  },
  pause: () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
}
