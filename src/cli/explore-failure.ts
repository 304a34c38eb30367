import { basename } from "node:path"
import type { Search } from "../campaign/module-search.ts"
import { writeTraceFile } from "../campaign/run-trace-file.ts"
import type { FoundFailure, ProgramInfo, SmallRun } from "../campaign/sim-worker.ts"
import { makeSmall } from "../campaign/small-failure.ts"
import { sha256 } from "../domain/digest.ts"
import type { RunTrace } from "../report/run-trace.ts"
import type { CommandCrew } from "./explore-crew.ts"

/** A failure as it is told: its smallest run, and where its trace is. */
export interface ToldFailure {
  /** `null` when the run did not come back when it was made again. */
  readonly trace: RunTrace | null
  /** Where the trace is; `null` when there is none. */
  readonly path: string | null
  readonly token: string
  readonly small: SmallRun | null
  /** Where the program threw. */
  readonly stack: string | null
}

/** What a failure is told of. */
export interface FailureParts {
  readonly module: string
  readonly plan: Search
  /** Where the trace goes. */
  readonly path: string
  readonly crew: CommandCrew
}

/**
 * Writes the trace of a failure, makes it small, and writes the trace of that: whatever happens in between, there is a trace.
 *
 * **Fails** with `TraceFileFailed`
 *
 * @since 0.1.0
 * @category running
 */
export const recordFailure = async (found: FoundFailure, parts: FailureParts): Promise<ToldFailure> => {
  const { module, plan, path, crew } = parts
  let trace: RunTrace | null = null
  const { run, small, token } = await makeSmall(found, {
    worker: crew.worker(0),
    stopped: crew.stopped,
    program: plan.program,
    async see(made, itsSmall) {
      const { moduleTrace } = await import("../campaign/module-trace.ts")
      trace = moduleTrace(made, { module, path, plan, found, isShrunk: itsSmall !== null })
      writeTraceFile(path, trace)
    }
  })
  return { trace, path: run === null ? null : path, token, small, stack: run?.stack ?? null }
}

/** The same failure has the same name, in this folder: a later run of the search replaces it, another failure does not. */
export const defaultTracePath = (module: string, program: ProgramInfo, signature: string): string => {
  const name = basename(module).replace(/\.[cm]?[jt]s$/, "")
  return `${name}-${sha256(`${program.exportName}\n${signature}`).slice(0, 8)}.trace.jsonl`
}

/** Where several programs may fail each has a file: its name stands before the first dot. */
export const tracePathFor = (out: string, program: ProgramInfo, programs: number): string => {
  if (programs === 1) return out
  const name = program.name.replace(/[^\p{L}\p{N}._-]+/gu, "-")
  const base = basename(out)
  const dot = base.indexOf(".", 1)
  const folder = out.slice(0, out.length - base.length)
  return dot === -1 ? `${out}-${name}` : `${folder}${base.slice(0, dot)}-${name}${base.slice(dot)}`
}
