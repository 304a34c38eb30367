import { existsSync, mkdirSync, statSync } from "node:fs"
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import { sha256 } from "../domain/digest.ts"
import type { Outcome } from "../explore/outcome.ts"
import type { RunTrace } from "../report/run-trace.ts"
import type { SeenRun } from "./explore-world.ts"
import { packageVersion } from "./package-version.ts"
import { traceFileProblem, writeTraceFile } from "./run-trace-file.ts"
import { shownPath } from "./shown-path.ts"
import { surroundingsOf } from "./surroundings.ts"
import { endOf, stepsOf } from "./traced-run.ts"

/** Test runners, by the command that runs a file. */
const runners = { vitest: "npx vitest run", jest: "npx jest", node: "node --test" } as const

type Runner = keyof typeof runners

type Environment = Readonly<Record<string, string | undefined>>

/** Whose run a trace is, where no module can be loaded to make it again. */
export interface TracedTest {
  /** The name of the test; empty for an `explore`, which has none. */
  readonly test: string
  /** The test file; `null` when it is not known. */
  readonly file: string | null
  readonly runner: Runner
}

/** The test that runs here. */
export const testHere = ({
  test,
  file,
  env
}: {
  readonly test: string
  readonly file: string | null
  readonly env: Environment
}): TracedTest => ({
  test,
  file,
  runner: env["VITEST"] !== undefined ? "vitest" : env["JEST_WORKER_ID"] !== undefined ? "jest" : "node"
})

/** The test that a trace names; `null` when it names none. */
export const testOfTrace = ({ header }: RunTrace, path: string): TracedTest | null => {
  const { test, testFile, runner } = header.options
  if (typeof test !== "string" || test === "") return null
  const file = typeof testFile === "string" ? resolve(dirname(resolve(path)), testFile) : null
  return { test, file, runner: runner === "vitest" || runner === "jest" ? runner : "node" }
}

/** What a shell is told to run a run of a simulated test alone. */
export const againCommand = ({ file, runner }: TracedTest, token: string): string =>
  `SIM_REPLAY='${token}' ${runners[runner]}${file === null ? "" : ` ${shownPath(file)}`}`

/** A failing run that was made again, and how it was found. */
export interface FailedRun {
  readonly run: SeenRun
  readonly outcome: Outcome
  readonly token: string
  /** The strategy that found it, and in which run; `null` for a run that was made from a token. */
  readonly found: { readonly by: string; readonly run: number; readonly hasGivenChoices?: boolean } | null
  readonly seed: number
}

/** Where a trace is, or why there is none. */
export type KeptTrace = { readonly path: string } | { readonly problem: string }

/** Keeps the trace of a failing run. */
export interface KeptTraces {
  keep(run: FailedRun): KeptTrace
}

interface TraceWishes {
  readonly test: TracedTest
  readonly env: Environment
  /** The file of kept choices that it may stand beside. */
  readonly beside: string | null
}

/**
 * Keeps traces where `asked`, the option, says, or else what is known of the test; `null` when none is to be kept.
 *
 * @since 0.1.0
 * @category traces
 */
export const keptTraces = (asked: string | false | undefined, wishes: TraceWishes): KeptTraces | null => {
  const path = tracePlace(asked, wishes)
  if (path === null) return null
  return { keep: (failed) => keepTrace(path, () => traceOf(failed, { path, test: wishes.test })) }
}

/** Where the trace of a failing run goes; `null` for nowhere. */
export const tracePlace = (asked: string | false | undefined, { test, env, beside }: TraceWishes): string | null => {
  const fromEnvironment = env["SIM_TRACE"] === "" ? undefined : env["SIM_TRACE"]
  const place = asked ?? (fromEnvironment === undefined ? undefined : inFolder(fromEnvironment, test))
  const isQuiet = beside === null || env["CI"] !== undefined
  const path = place ?? (isQuiet ? false : join(dirname(beside), traceName(test)))
  return path === false ? null : path
}

/** Writes a trace; a failure is told also where that cannot be. */
export const keepTrace = (path: string, trace: () => RunTrace): KeptTrace => {
  try {
    const problem = existsSync(path) ? traceFileProblem(path) : null
    if (problem !== null) return { problem }
    mkdirSync(dirname(resolve(path)), { recursive: true })
    writeTraceFile(path, trace())
    return { path }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

const inFolder = (path: string, test: TracedTest): string =>
  path.endsWith(sep) || isFolder(path) ? join(path, traceName(test)) : path

/** What is wrong with a path is said when something is written to it. */
const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** The same for every failure of a test: the newest one is there. */
const traceName = ({ test, file }: TracedTest): string => {
  const name = file === null ? "explore" : basename(file).replace(/\.[cm]?[jt]sx?$/, "")
  return `${name}.${sha256(test).slice(0, 8)}.trace.jsonl`
}

const traceOf = (
  { run, outcome, token, found, seed }: FailedRun,
  { path, test: { test, file, runner } }: { readonly path: string; readonly test: TracedTest }
): RunTrace => ({
  header: {
    title: test === "" ? "explore" : test,
    strategy: found?.by ?? "none, from a token",
    seed,
    options: {
      test,
      testFile:
        file === null
          ? null
          : relative(dirname(resolve(path)), file)
              .split(sep)
              .join("/"),
      runner,
      run: found?.run ?? null,
      isUntimed: run.isUntimed
    },
    ...surroundingsOf({ module: file ?? resolve("explore"), engine: packageVersion() })
  },
  end: endOf(outcome, { token, run }),
  steps: stepsOf(run)
})
