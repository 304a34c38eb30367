import { writeFileSync } from "node:fs"
import { resolve } from "node:path"
import { makeBudget, planSearch, type Search, type Searched, search } from "../campaign/module-search.ts"
import { someLines } from "../campaign/program-prints.ts"
import { TraceFileFailed, traceFileProblem } from "../campaign/run-trace-file.ts"
import type { ProgramInfo } from "../campaign/sim-worker.ts"
import { explainFailure } from "../report/explain-failure.ts"
import { type CommandIo, exitCodes, RunFailed } from "./command-io.ts"
import { type CommandCrew, NothingToRun, openCommandCrew, programsAsked } from "./explore-crew.ts"
import { defaultTracePath, recordFailure, type ToldFailure, tracePathFor } from "./explore-failure.ts"
import { type JunitCase, junitXml } from "./explore-junit.ts"
import type { ExploreAsked } from "./explore-options.ts"
import { watchSearch } from "./explore-progress.ts"
import { type ExploreResult, junitCase, resultOf, resultText } from "./explore-result.ts"
import { makeReport, type Report } from "./report.ts"
import { unwritableText } from "./unwritable.ts"

/**
 * Searches the programs of a module, one after the other, and gives the exit code.
 *
 * @since 0.1.0
 * @category running
 */
export const explore = async (asked: ExploreAsked, io: CommandIo): Promise<number> => {
  const report = makeReport("jsonl", io)
  let crew: CommandCrew | null = null
  try {
    checkPlaces(asked)
    const prints = someLines((line) => report.human(line), "what programs print is not shown any more; replay shows it")
    crew = await openCommandCrew(resolve(asked.module), io, prints)
    const programs = await programsAsked(crew, asked)
    const results = await exploreAll(programs, { asked, crew, io, report })
    if (asked.junit !== null) writeJunit(asked.junit, asked.module, results)
    const signal = crew.stop.signal()
    if (signal !== null) return exitCodes[signal]
    return results.every(({ result }) => result.outcome === "ok") ? exitCodes.ok : exitCodes.failed
  } catch (error) {
    if (!(error instanceof NothingToRun || error instanceof RunFailed || error instanceof TraceFileFailed)) throw error
    report.human(error.message)
    return error instanceof NothingToRun ? exitCodes.usage : exitCodes.failed
  } finally {
    await crew?.close()
  }
}

/** What can be known of the places for results before there are any. */
const checkPlaces = ({ out, junit }: ExploreAsked): void => {
  const problem = out === null ? null : traceFileProblem(out)
  if (problem !== null) throw new NothingToRun(`--out: ${problem}; give a file that can be written`)
  if (junit === null) return
  try {
    // Also shows that it can be written; a search that ends early leaves a file without results.
    writeFileSync(junit, junitXml("", []))
  } catch (error) {
    throw new NothingToRun(
      `--junit: cannot write ${junit}: ${unwritableText(junit, error)}; give a file that can be written`
    )
  }
}

interface Parts {
  readonly asked: ExploreAsked
  readonly crew: CommandCrew
  readonly io: CommandIo
  readonly report: Report
}

interface Explored {
  readonly result: ExploreResult
  readonly junit: JunitCase
}

const exploreAll = async (programs: ReadonlyArray<ProgramInfo>, parts: Parts): Promise<ReadonlyArray<Explored>> => {
  const { asked, crew, io, report } = parts
  const explored: Array<Explored> = []
  const budget = makeBudget({ budgetMs: asked.budgetMs, programs: programs.length, now: io.now })
  for (const [index, program] of programs.entries()) {
    const plan = planSearch(program, { ...asked, budgetMs: budget(index) })
    if (plan.workers < asked.workers) {
      report.human(`${program.name}: ${plan.workers} of ${asked.workers} workers have work`)
    }
    const { onProgress, forget } = watchSearch(plan, { now: io.now, tell: (line) => report.human(line) })
    const searched = await search(plan, { crew, now: io.now, onProgress })
    forget()
    const told = await tell(searched, { plan, programs, parts })
    const result = resultOf({ plan, searched, told, signal: crew.stop.signal() })
    report.record(result)
    report.human(resultText(result), detailsOf(told))
    explored.push({ result, junit: junitCase(result, told === null ? null : textOf(told)) })
    // A thread that is stuck cannot search the next program.
    if (crew.stop.signal() !== null || searched.stuck.length > 0) break
  }
  return explored
}

/** Records the failure of a search, if there is one. */
const tell = async (
  { failure, stuck }: Searched,
  options: { readonly plan: Search; readonly programs: ReadonlyArray<ProgramInfo>; readonly parts: Parts }
): Promise<ToldFailure | null> => {
  if (failure === null) return null
  const { plan, programs, parts } = options
  const { asked, crew, report } = parts
  const { program } = plan
  const path =
    asked.out === null
      ? defaultTracePath(asked.module, program, failure.signature)
      : tracePathFor(asked.out, program, programs.length)
  const nothing = { trace: null, path: null, token: failure.token, small: null, stack: null }
  if (stuck.some(({ worker }) => worker === 0)) return nothing
  report.human(`${program.name}: run ${failure.run} failed, found by ${failure.by}; making it small`)
  try {
    return await recordFailure(failure, { module: resolve(asked.module), plan, path, crew })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    report.human(error.message)
    return nothing
  }
}

const textOf = (told: ToldFailure): string => {
  const { trace, token } = told
  return trace === null ? `SIM_REPLAY='${token}'` : explainFailure(trace)
}

const detailsOf = (told: ToldFailure | null): ReadonlyArray<string> => {
  if (told === null) return []
  const { path, stack } = told
  const again = path === null ? [] : ["", `the trace is in ${path}; again: npx llm-understudy replay ${path}`]
  return ["", textOf(told), ...(stack === null ? [] : ["", "thrown", stack]), ...again]
}

const writeJunit = (path: string, module: string, explored: ReadonlyArray<Explored>): void => {
  try {
    writeFileSync(
      path,
      junitXml(
        module,
        explored.map(({ junit }) => junit)
      )
    )
  } catch (error) {
    throw new RunFailed(`cannot write ${path}: ${unwritableText(path, error)}`)
  }
}
