import { closeSync, openSync, writeSync } from "node:fs"

/** A file that lines are appended to, each handed to the system at once: what was written survives a crash of ours. */
export interface LineFile {
  append(line: string): void
  close(): void
}

/**
 * Begins a file of lines, in place of what was there.
 *
 * **Fails** with what the system says, here and in `append`
 *
 * @since 0.1.0
 * @category layers
 */
export const openLineFile = (path: string): LineFile => {
  const file = openSync(path, "w")
  return {
    append(line) {
      const bytes = Buffer.from(`${line}\n`)
      let sent = 0
      while (sent < bytes.length) sent += writeSync(file, bytes, sent)
    },
    close: () => closeSync(file)
  }
}
