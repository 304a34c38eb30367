import { basename } from "node:path"
import { packageVersion } from "../campaign/package-version.ts"
import { moduleHash } from "../campaign/program-module.ts"
import { namedProgram, writeTraceFile } from "../campaign/run-trace-file.ts"
import type { FoundFailure, ProgramInfo, ReplayedRun, SmallRun } from "../campaign/sim-worker.ts"
import { sha256 } from "../domain/digest.ts"
import type { OptionValue, RunTrace } from "../report/run-trace.ts"
import type { Crew } from "./explore-crew.ts"
import { untilStopped } from "./explore-stop.ts"

/** Shrinking after a search takes no longer than this. */
const shrinkMs = 60_000

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
  readonly program: ProgramInfo
  readonly seed: number
  readonly workers: number
  /** Where the trace goes. */
  readonly path: string
  readonly crew: Crew
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
  const { crew, program, path } = parts
  const { exportName } = program
  const worker = crew.worker(0)
  const first = await untilStopped(worker.replay({ exportName, token: found.token }), crew.stop.stopped)
  if (first === null) return { trace: null, path: null, token: found.token, small: null, stack: null }
  const trace = await traceOf(first, { ...parts, found, small: null })
  writeTraceFile(path, trace)
  const asFound = { trace, path, token: tokenOf(first, found.token), small: null, stack: first.stack }
  if (first.end.type === "ok" || program.shrinkRunsMax === 0) return asFound
  const job = { exportName, token: found.token, runsMax: program.shrinkRunsMax, budgetMs: shrinkMs }
  const small = await untilStopped(
    worker.shrink(job).then((result) => ({ result })),
    crew.stop.stopped
  )
  if (small === null || small.result === null) return asFound
  const again = await untilStopped(worker.replay({ exportName, token: small.result.token }), crew.stop.stopped)
  if (again === null) return asFound
  const smallTrace = await traceOf(again, { ...parts, found, small: small.result })
  writeTraceFile(path, smallTrace)
  return { trace: smallTrace, path, token: small.result.token, small: small.result, stack: again.stack }
}

const tokenOf = ({ end }: ReplayedRun, token: string): string => end.token ?? token

const traceOf = async (
  { end, steps }: ReplayedRun,
  parts: Pick<FailureParts, "module" | "program" | "seed" | "workers" | "path"> & {
    readonly found: FoundFailure
    readonly small: SmallRun | null
  }
): Promise<RunTrace> => {
  const { surroundingsOf } = await import("../campaign/surroundings.ts")
  const { module, program, seed, workers, path, found, small } = parts
  return {
    header: {
      title: program.name,
      strategy: found.by,
      seed,
      options: {
        ...namedOptions({ trace: path, module, program: program.exportName }),
        run: found.run,
        workers,
        isShrunk: small !== null,
        ...(program.isUntimed ? { isUntimed: true } : {})
      },
      ...surroundingsOf({ module, engine: packageVersion() })
    },
    end,
    steps
  }
}

/** How a header names a program. */
export const namedOptions = (named: {
  readonly trace: string
  readonly module: string
  readonly program: string
}): Readonly<Record<string, OptionValue>> => ({ ...namedProgram({ ...named, moduleHash: moduleHash(named.module) }) })

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
