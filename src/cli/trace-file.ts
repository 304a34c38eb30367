import { closeSync, fsyncSync, openSync, writeSync } from "node:fs"
import { RunFailed } from "./command-io.ts"
import { specialFile } from "./special-file.ts"

/**
 * A file that lines are appended to, each handed to the system at once: what was written survives a crash of ours.
 *
 * @since 0.1.0
 * @category services
 */
export interface TraceFile {
  append(line: string): void
  close(): void
}

/**
 * Opens the file and writes its first line.
 *
 * **Takes** `failed`: told once when a later write fails, after which nothing is written any more
 * **Fails** with `RunFailed` when the file cannot be opened or written now
 *
 * @since 0.1.0
 * @category constructors
 */
export const openTraceFile = (
  path: string,
  options: { readonly firstLine: string; readonly failed: (reason: string) => void }
): TraceFile => {
  let file: number | null = openOrFail(path, options.firstLine)
  const give = (work: (file: number) => void): void => {
    if (file === null) return
    try {
      work(file)
    } catch (error) {
      const broken = file
      file = null
      options.failed(`cannot write the trace ${JSON.stringify(path)}: ${reasonOf(error)}`)
      closeQuietly(broken)
    }
  }
  return {
    append: (line) => give((open) => writeAll(open, line)),
    close: () =>
      give((open) => {
        syncIfPossible(open)
        closeSync(open)
        file = null
      })
  }
}

const openOrFail = (path: string, firstLine: string): number => {
  try {
    const special = specialFile(path)
    // The reader of a pipe that is slow or never comes would block everything, signals included.
    if (special !== undefined) throw new Error(`it is ${special}`)
    const file = openSync(path, "a")
    writeAll(file, firstLine)
    return file
  } catch (error) {
    throw new RunFailed(
      `cannot write the trace ${JSON.stringify(path)}: ${reasonOf(error)}; give --trace a file that can be written`
    )
  }
}

/** A full disk may take a part of the line first, and fail at the rest. */
const writeAll = (file: number, line: string): void => {
  const bytes = Buffer.from(`${line}\n`)
  let sent = 0
  while (sent < bytes.length) sent += writeSync(file, bytes, sent)
}

/** Pipes and devices cannot be synchronised, and need not be; what a disk says counts. */
const syncIfPossible = (file: number): void => {
  try {
    fsyncSync(file)
  } catch (error) {
    if (diskCodes.has(codeOf(error))) throw error
  }
}

const diskCodes: ReadonlySet<unknown> = new Set(["EIO", "ENOSPC", "EDQUOT"])

const closeQuietly = (file: number): void => {
  try {
    closeSync(file)
  } catch {
    // The failure that counts was told.
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined)
