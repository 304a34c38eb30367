import {
  closeSync,
  constants,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync
} from "node:fs"
import { dirname } from "node:path"
import { type ProcessGuard, processGuard } from "./process-guard.ts"

/**
 * The lock of a leader: a guard, which stands for the `flock` that Node does not have, and the file with the number of the leader.
 *
 * **Source** agent-harness.md, section 5.1, "Lock file", and appendix A
 *
 * @since 0.1.0
 * @category services
 */
export interface LiveLeaderLock extends ProcessGuard {
  /** Writes the number of this process, when the guard was taken. */
  write(): void
}

/** @since 0.1.0 @category constructors */
export const liveLeaderLock = (path: string): LiveLeaderLock => {
  const guard = processGuard(`${path}.guard`)
  return {
    ...guard,
    take() {
      mkdirSync(dirname(path), { recursive: true })
      return guard.take()
    },
    write() {
      // Not cut before it is held: readers may see nothing, or an old number.
      const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
      try {
        ftruncateSync(file)
        writeSync(file, String(process.pid))
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
    },
    giveBack() {
      if (textOf(path) === String(process.pid)) rmSync(path, { force: true })
      guard.giveBack()
    }
  }
}

const textOf = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}
