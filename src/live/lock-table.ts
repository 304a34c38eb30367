import { readFile, stat } from "node:fs/promises"
import type { LockTable } from "../ports/lock-table.ts"

/**
 * The lock table of this machine, where it is Linux.
 *
 * **Source** agent-harness.md, section 5.4
 *
 * @since 0.1.0
 * @category layers
 */
export const liveLocks: LockTable = {
  async holder(path) {
    try {
      const { dev, ino } = await stat(path, { bigint: true })
      const table = await readFile("/proc/locks", "utf8")
      return holderIn(table, { device: deviceText(dev), inode: String(ino) })
    } catch {
      return null
    }
  }
}

interface LockedFile {
  /** As the table writes it: two hexadecimal numbers. */
  readonly device: string
  readonly inode: string
}

/** A line reads `1: FLOCK  ADVISORY  WRITE 742 fe:01:131 0 EOF`; one that has `->` behind its number waits for the lock. */
const holderIn = (table: string, { device, inode }: LockedFile): number | null => {
  for (const line of table.split("\n")) {
    const [, kind, , access, pid, file] = line.trim().split(/\s+/)
    // 0 and less: a process that cannot be seen from here.
    if (kind === "FLOCK" && access === "WRITE" && file === `${device}:${inode}` && Number(pid) > 0) return Number(pid)
  }
  return null
}

/** The numbers of a device, as glibc takes them out of one. */
const deviceText = (device: bigint): string => {
  const major = ((device >> 8n) & 0xfffn) | ((device >> 32n) & ~0xfffn)
  const minor = (device & 0xffn) | ((device >> 12n) & ~0xffn)
  return [major, minor].map((part) => part.toString(16).padStart(2, "0")).join(":")
}
