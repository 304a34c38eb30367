import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { InvalidOption } from "../domain/errors.ts"
import { describe } from "../domain/json.ts"
import { GoalsMissed, namesReached } from "../explore/goals.ts"
import { decodeToken } from "../explore/replay-token.ts"
import { corpusPath, makeCorpus, readableTokens } from "./corpus-file.ts"
import type { ExploreModuleOptions, ModuleCampaign } from "./explore-module-options.ts"
import { outdatedText } from "./kept-runs.ts"
import { type Crew, openCrew, programsOf } from "./module-crew.ts"
import { type ModulePlaces, replayedFailure, searchFailure } from "./module-failure.ts"
import { makeBudget, planSearch, type Search, search } from "./module-search.ts"
import { optionProblem } from "./option-tables.ts"
import { someLines } from "./program-prints.ts"
import { RunStuck } from "./run-stuck.ts"
import { shownPath } from "./shown-path.ts"
import type { OpenSimWorker, ProgramInfo } from "./sim-worker.ts"
import { makeStopBoard } from "./stop-board.ts"

/** What such a search works with outside its threads. */
export interface ExploreModuleParts {
  readonly open: OpenSimWorker
  /** Real time in milliseconds. */
  readonly now: () => number
  readonly env: Readonly<Record<string, string | undefined>>
  /** Tells people what is no failure, and what programs print. */
  readonly say: (line: string) => void
}

/**
 * Searches the programs of a module in threads, which are ended however the search ends.
 *
 * **Fails** as `exploreModule` does
 *
 * @since 0.1.0
 * @category exploring
 */
export const exploreModuleIn = async (
  given: string | URL,
  options: ExploreModuleOptions,
  parts: ExploreModuleParts
): Promise<ReadonlyArray<ModuleCampaign>> => {
  check(options)
  const module = pathOf(given)
  const { signal, execArgv } = options
  signal?.throwIfAborted()
  const board = makeStopBoard()
  const onText = someLines(parts.say, "what programs print is not shown any more")
  // Threads are ended here, not asked to come to an end.
  const stopped = new Promise<void>(() => {})
  const crew = openCrew({ module, open: parts.open, board, stopped, onText, execArgv })
  const abort = whenAborted(signal)
  try {
    return await Promise.race([searchAll(crew, { ...parts, module, options }), abort.aborted])
  } finally {
    abort.forget()
    board.stop()
    await crew.close()
  }
}

const check = (options: ExploreModuleOptions): void => {
  const problem = optionProblem("exploreModule", options)
  if (problem !== null) throw new InvalidOption(`exploreModule: ${problem}`)
  const { strategy, workers = 1, first = [] } = options
  if (strategy === "dfs" && workers > 1) {
    throw new InvalidOption(
      "exploreModule: strategy dfs goes from one run to the next and cannot be shared; leave out workers"
    )
  }
  for (const one of first) if (typeof one === "string") decodeToken(one)
}

const pathOf = (given: unknown): string => {
  const isFileUrl = /^file:/.test(String(given))
  if (typeof given === "string" && given !== "" && !isFileUrl) return resolve(given)
  if (isFileUrl) return fileURLToPath(String(given))
  const what = typeof given === "object" && given !== null && "href" in given ? String(given.href) : describe(given)
  throw new InvalidOption(
    `exploreModule: the module is ${what}; give a path, or the URL of a file: new URL("./race.mjs", import.meta.url)`
  )
}

/** Rejects with the reason of a signal, whenever it comes. */
const whenAborted = (
  signal: AbortSignal | undefined
): { readonly aborted: Promise<never>; readonly forget: () => void } => {
  let abort = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal?.reason)
  })
  signal?.addEventListener("abort", abort)
  return { aborted, forget: () => signal?.removeEventListener("abort", abort) }
}

interface SearchParts extends ExploreModuleParts {
  readonly module: string
  readonly options: ExploreModuleOptions
}

const searchAll = async (crew: Crew, parts: SearchParts): Promise<ReadonlyArray<ModuleCampaign>> => {
  const { module, options, now, env, say } = parts
  const { only = null, workers = 1, runs = null, seed = null, strategy = null, budgetMs = null, goals, first } = options
  const programs = await programsOf(crew, { module: shownPath(module), only })
  const path = options.corpus ?? corpusPath(module)
  const corpus = path === false ? null : makeCorpus(path)
  const broken = corpus?.problem() ?? null
  if (broken !== null) say(`${shownPath(module)}: no failure is tried again: ${broken}`)
  const places: ModulePlaces = { module, trace: options.trace, path, corpus, env }
  await makeAskedRuns(crew, programs, places)

  const budget = makeBudget({ budgetMs, programs: programs.length, now })
  const campaigns: Array<ModuleCampaign> = []
  for (const [index, program] of programs.entries()) {
    const kept = readableTokens(corpus?.tokens(program.name) ?? [], {
      path,
      say: (text) => say(`${program.name}: ${text}`)
    })
    const asked = { workers, runs, seed, strategy, budgetMs: budget(index), kept }
    const plan = planSearch(program, { ...asked, ...(goals && { goals }), ...(first && { first }) })
    campaigns.push(await searchProgram(plan, { crew, places, now, say }))
  }
  return campaigns
}

/** The run that `SIM_REPLAY` asks for comes first; when it passes, or is one of another program, the search goes on. */
const makeAskedRuns = async (crew: Crew, programs: ReadonlyArray<ProgramInfo>, places: ModulePlaces): Promise<void> => {
  const token = places.env["SIM_REPLAY"] ?? ""
  // A token of a simulated test bears its name, and is for that test alone.
  if (token === "" || decodeToken(token).test !== null) return
  for (const program of programs) {
    const run = await crew.worker(0).replay({ exportName: program.exportName, token })
    if (run.end.type === "failed") throw replayedFailure(run, { program, token, places })
  }
}

const searchProgram = async (
  plan: Search,
  parts: Pick<SearchParts, "now" | "say"> & {
    readonly crew: Crew
    readonly places: ModulePlaces
  }
): Promise<ModuleCampaign> => {
  const { crew, places, now, say } = parts
  const { program, kept } = plan
  const searched = await search(plan, { crew, now })
  const { failure, trouble, stuck, outdated, elapsedMs: _, ...campaign } = searched
  const text = outdatedText(outdated, { kept: kept.length, path: places.path })
  if (text !== null) say(`${program.name}: ${text}`)
  if (failure !== null) throw await searchFailure(failure, { crew, plan, places, stuck, trouble })
  if (trouble !== null) throw ofProgram(program, trouble.error)
  if (stuck.length > 0)
    throw new RunStuck(
      program.name,
      stuck.map(({ run }) => run)
    )
  if (campaign.goalsMissed.length > 0) {
    throw ofProgram(program, new GoalsMissed(campaign.goalsMissed, campaign.stats.runs, namesReached(campaign.goals)))
  }
  return { program: program.name, ...campaign }
}

/** The error, whose message says of which program it is. */
const ofProgram = ({ name }: ProgramInfo, error: unknown): unknown => {
  if (!(error instanceof Error)) return error
  const { message, stack } = error
  const told = `${name}: ${message}`
  return Object.assign(error, { message: told, stack: stack?.replace(message, () => told) })
}
