import type { Corpus } from "./corpus-file.ts"
import { failureText, notKeptLine, traceLine } from "./failure-text.ts"
import type { Crew } from "./module-crew.ts"
import type { Search, Searched } from "./module-search.ts"
import { moduleTrace } from "./module-trace.ts"
import { shownPath } from "./shown-path.ts"
import { SimFailed } from "./sim-failed.ts"
import type { FoundFailure, ProgramInfo, ReplayedRun, ThrownError } from "./sim-worker.ts"
import { makeSmall } from "./small-failure.ts"
import { type KeptTrace, keepTrace, testHere, tracePlace } from "./traced-test.ts"

/** A module, and where its failures are kept. */
export interface ModulePlaces {
  readonly module: string
  /** The option of that name. */
  readonly trace: string | false | undefined
  /** The file of kept failures; `false` for none. */
  readonly path: string | false
  readonly corpus: Corpus | null
  readonly env: Readonly<Record<string, string | undefined>>
}

/** A failed run, and what is said of it. */
interface Told {
  readonly program: ProgramInfo
  readonly places: ModulePlaces
  /** Gives it again. */
  readonly token: string
  readonly found: FoundFailure | null
  /** `null` when it was not made again. */
  readonly run: ReplayedRun | null
  readonly trace: KeptTrace | null
  readonly notes: ReadonlyArray<string>
}

/**
 * The failure of a search: it is kept at once, made small, and kept so in the place of that.
 *
 * @since 0.1.0
 * @category errors
 */
export const searchFailure = async (
  found: FoundFailure,
  parts: Pick<Searched, "stuck" | "trouble"> & {
    readonly crew: Crew
    readonly plan: Search
    readonly places: ModulePlaces
  }
): Promise<SimFailed> => {
  const { crew, plan, places, stuck, trouble } = parts
  const { program } = plan
  const { module, env, corpus } = places
  const keeping = env["CI"] === undefined ? corpus : null
  keeping?.keep(program.name, found.token)
  const path = tracePath(program, places)
  const told: { run: ReplayedRun | null; trace: KeptTrace | null } = { run: null, trace: null }
  const notes: Array<string> = []
  const see = (run: ReplayedRun, isShrunk: boolean): void => {
    told.run = run
    if (path !== null) told.trace = keepTrace(path, () => moduleTrace(run, { module, path, plan, found, isShrunk }))
  }
  // One that hangs or is lost makes no run any more: the next one is new.
  const isFirstFit = trouble === null && !stuck.some(({ worker }) => worker === 0)
  const token = await makeSmall(found, {
    worker: crew.worker(isFirstFit ? 0 : plan.workers),
    stopped: crew.stopped,
    program,
    see: (run, small) => see(run, small !== null)
  }).then(
    (small) => small.token,
    (error: unknown) => {
      // The failure that was found counts more than what keeps it from being made small.
      notes.push(`not made small: ${error instanceof Error ? error.message : String(error)}`)
      return found.token
    }
  )
  const problem = keeping?.keep(program.name, token, found.token) ?? null
  if (problem !== null) notes.push(notKeptLine(problem))
  return failed({ program, places, token, found, ...told, notes })
}

/**
 * The failure of a run that was asked for by its token.
 *
 * @since 0.1.0
 * @category errors
 */
export const replayedFailure = (
  run: ReplayedRun,
  { token, ...parts }: { readonly program: ProgramInfo; readonly token: string; readonly places: ModulePlaces }
): SimFailed => {
  const notes = run.difference === null ? [] : [`not quite the run of the token: ${run.difference}`]
  return failed({ ...parts, token, found: null, run, trace: null, notes })
}

/** Where the trace of a program's failure goes; `null` for nowhere. */
const tracePath = ({ name }: ProgramInfo, { module, trace, path, env }: ModulePlaces): string | null =>
  tracePlace(trace, {
    test: testHere({ test: name, file: module, env }),
    env,
    beside: path === false ? null : path
  })

const failed = ({ program, places, token, found, run, trace, notes }: Told): SimFailed => {
  const message =
    run?.end.type === "ok"
      ? "the run failed, and passes when it is made again"
      : (run?.end.message ?? found?.message ?? "")
  const text = failureText({
    message,
    token,
    found,
    run:
      run === null
        ? null
        : {
            steps: run.steps,
            failedAt: run.end.type === "failed" ? run.end.failedAt : [],
            broken: [],
            isUntimed: program.isUntimed
          },
    more: [
      `the program ${JSON.stringify(program.name)} of ${shownPath(places.module)}`,
      ...notes,
      ...(trace === null ? [] : [traceLine(trace)])
    ]
  })
  return new SimFailed(text, {
    token,
    trace: trace !== null && "path" in trace ? trace.path : null,
    cause: run?.thrown == null ? undefined : copyOf(run.thrown)
  })
}

/** What was thrown is an object of its thread. */
const copyOf = ({ name, message, stack, tag }: ThrownError): Error =>
  Object.assign(new Error(message), { name, stack, ...(tag === null ? {} : { _tag: tag }) })
