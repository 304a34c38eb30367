import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeSync } from "node:fs"
import { dirname, relative, resolve, sep } from "node:path"
import type { RunTrace } from "../report/run-trace.ts"
import { traceEndLine, traceFamily, traceHeaderLine, traceStepLine } from "../report/trace-line.ts"
import { decodeTrace, type TraceRead } from "../report/trace-reader.ts"

/** Steps are handed to the system in blocks of so many. */
const stepsInBlock = 1_000

/** Longer files are no traces of ours: they would have more steps than a run keeps. */
const fileBytesMax = 512 * 1024 * 1024

/**
 * A trace file cannot be read or written where it was asked for.
 *
 * @since 0.1.0
 * @category errors
 */
export class TraceFileFailed extends Error {
  readonly _tag = "TraceFileFailed"
  constructor(message: string) {
    super(message)
    this.name = "TraceFileFailed"
  }
}

/**
 * Writes a run as a trace file: header, steps and end are added one after the other and flushed, under another name until all
 * is there, so that a file with this name is whole, the old one or the new one.
 *
 * **Fails** with `TraceFileFailed`
 *
 * @since 0.1.0
 * @category traces
 */
export const writeTraceFile = (path: string, { header, steps, end }: RunTrace): void => {
  const draft = `${path}.${process.pid}.draft`
  try {
    const file = openSync(draft, "w")
    try {
      writeAll(file, traceHeaderLine(header))
      for (let from = 0; from < steps.length; from += stepsInBlock) {
        writeAll(
          file,
          steps
            .slice(from, from + stepsInBlock)
            .map(traceStepLine)
            .join("")
        )
      }
      writeAll(file, traceEndLine(end, steps.length))
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(draft, path)
  } catch (error) {
    throw new TraceFileFailed(`cannot write the trace ${path}: ${reasonOf(error)}`)
  }
}

const writeAll = (file: number, text: string): void => {
  const bytes = Buffer.from(text)
  let sent = 0
  while (sent < bytes.length) sent += writeSync(file, bytes, sent)
}

/**
 * Why no trace can be written to a path, before there is one to be written; `null` when nothing is known against it. A file
 * that is there must be a trace: to write over anything else is most likely a slip.
 *
 * @since 0.1.0
 * @category guards
 */
export const traceFileProblem = (path: string): string | null => {
  const folder = dirname(resolve(path))
  if (!existsSync(folder)) return `there is no folder ${folder}`
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return null
  if (!found.isFile()) return `${path} is there and no file`
  return found.size === 0 || beginsLikeTrace(path) ? null : `${path} is there and no trace; it is left as it is`
}

const beginsLikeTrace = (path: string): boolean => {
  try {
    return readFileSync(path, "utf8").startsWith(`{"trace":${JSON.stringify(traceFamily)}`)
  } catch {
    return false
  }
}

/**
 * Reads a trace file.
 *
 * **Fails** with `TraceFileFailed`, `InvalidTrace`
 *
 * @since 0.1.0
 * @category traces
 */
export const readTraceFile = (path: string): TraceRead => {
  if (!existsSync(path)) throw new TraceFileFailed(`there is no trace ${path}; give what explore or shrink wrote`)
  try {
    const found = statSync(path)
    if (!found.isFile()) throw new Error("it is no file")
    if (found.size > fileBytesMax) throw new Error(`it has more than ${fileBytesMax} bytes`)
  } catch (error) {
    throw new TraceFileFailed(`cannot read the trace ${path}: ${reasonOf(error)}`)
  }
  return decodeTrace(readFileSync(path, "utf8"))
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What the options of a trace's header say of its program. */
export interface TracedProgram {
  /** The path of the module, from the folder of the trace. */
  readonly module: string
  /** The name of its export. */
  readonly program: string
  /** What `moduleHash` gave. */
  readonly moduleHash: string
}

/** The program as the options of a header. */
export const namedProgram = (options: {
  readonly trace: string
  readonly module: string
  readonly program: string
  readonly moduleHash: string
}): TracedProgram => {
  const { trace, module, program, moduleHash } = options
  const path = relative(dirname(resolve(trace)), resolve(module))
  return { module: path.split(sep).join("/"), program, moduleHash }
}

/** The program that a trace names; `null` when it names none. The path of its module is taken from the folder of the trace. */
export const programOfTrace = (trace: RunTrace, path: string): TracedProgram | null => {
  const { module, program, moduleHash } = trace.header.options
  if (typeof module !== "string" || typeof program !== "string") return null
  const file = resolve(dirname(resolve(path)), module)
  return { module: file, program, moduleHash: typeof moduleHash === "string" ? moduleHash : "" }
}
