import { namedOptions } from "../campaign/module-trace.ts"
import { packageVersion } from "../campaign/package-version.ts"
import { traceFileProblem, writeTraceFile } from "../campaign/run-trace-file.ts"
import type { ProgramInfo, SmallRun } from "../campaign/sim-worker.ts"
import { surroundingsOf } from "../campaign/surroundings.ts"
import { untilStopped } from "../campaign/until-stopped.ts"
import { decodeToken } from "../explore/replay-token.ts"
import { explainFailure } from "../report/explain-failure.ts"
import type { RunTrace } from "../report/run-trace.ts"
import { type CommandIo, exitCodes, RunFailed } from "./command-io.ts"
import { type CommandCrew, NothingToRun, openCommandCrew, programOfRun } from "./explore-crew.ts"
import { defaultTracePath } from "./explore-failure.ts"
import { toldProblem } from "./replay.ts"
import { type RunSource, runSource } from "./replay-source.ts"
import { makeReport, type Report } from "./report.ts"

/** What `shrink` was asked to do. */
export interface ShrinkAsked {
  readonly target: string
  readonly module: string | null
  readonly only: string | null
  readonly out: string | null
  readonly runs: number
  readonly budgetMs: number
}

/**
 * Makes a failed run smaller, writes its trace and gives the exit code.
 *
 * @since 0.1.0
 * @category shrinking
 */
export const shrink = async (asked: ShrinkAsked, io: CommandIo): Promise<number> => {
  const report = makeReport("jsonl", io)
  let crew: CommandCrew | null = null
  try {
    const problem = asked.out === null ? null : traceFileProblem(asked.out)
    if (problem !== null) throw new NothingToRun(`--out: ${problem}; give a file that can be written`)
    const source = runSource(asked)
    for (const warning of source.warnings) report.human(`warning: ${warning}`)
    crew = await openCommandCrew(source.module, io, () => {})
    const program = await programOfRun(crew, source)
    if (program !== null) await shrinkRun(program, { asked, source, crew, report })
    const signal = crew.stop.signal()
    return signal === null ? exitCodes.ok : exitCodes[signal]
  } catch (error) {
    return toldProblem(error, report)
  } finally {
    await crew?.close()
  }
}

interface Parts {
  readonly asked: ShrinkAsked
  readonly source: RunSource
  readonly crew: CommandCrew
  readonly report: Report
}

const shrinkRun = async (program: ProgramInfo, { asked, source, crew, report }: Parts): Promise<void> => {
  const { exportName, name } = program
  const worker = crew.worker(0)
  const job = { exportName, token: source.token, runsMax: asked.runs, budgetMs: asked.budgetMs }
  const shrunk = await untilStopped(
    worker.shrink(job).then((small) => ({ small })),
    crew.stopped
  )
  if (shrunk === null) throw new RunFailed(`${name}: stopped, and the run that was under way did not come back`)
  const { small } = shrunk
  if (small === null) throw new RunFailed(`${name}: the run does not fail here, so there is nothing to make small`)
  const run = await untilStopped(worker.replay({ exportName, token: small.token }), crew.stopped)
  if (run === null)
    throw new RunFailed(`${name}: stopped before the smaller run was written; its token: ${small.token}`)

  const path = asked.out ?? pathFor(asked.target, { source, program, small })
  const trace: RunTrace = {
    header: {
      title: name,
      strategy: source.trace?.header.strategy ?? "shrunk from a token",
      seed: source.trace?.header.seed ?? decodeToken(small.token).seed,
      options: {
        ...source.trace?.header.options,
        ...namedOptions({ trace: path, module: source.module, program: exportName }),
        isShrunk: true,
        ...(program.isUntimed ? { isUntimed: true } : {})
      },
      ...surroundingsOf({ module: source.module, engine: packageVersion() })
    },
    end: run.end,
    steps: run.steps
  }
  writeTraceFile(path, trace)
  report.record({
    type: "shrink",
    program: name,
    signature: small.signature,
    nonCalmBefore: small.nonCalmBefore,
    nonCalm: small.nonCalm,
    runs: small.replays,
    isMinimal: small.isMinimal,
    token: small.token,
    trace: path
  })
  report.human(sentence(name, small), ["", explainFailure(trace), "", `the trace is in ${path}`])
}

const sentence = (name: string, { nonCalmBefore, nonCalm, replays, isMinimal }: SmallRun): string => {
  const choices = nonCalm === 1 ? "choice is" : "choices are"
  const before = nonCalm === nonCalmBefore ? "as before" : `before it were ${nonCalmBefore}`
  const end = isMinimal
    ? "nothing that shrinking tries makes it smaller"
    : "it may become smaller yet, with more --runs or --budget"
  return `${name}: ${nonCalm} ${choices} not calm, ${before}, after ${replays} runs; ${end}`
}

const pathFor = (
  target: string,
  { source, program, small }: { readonly source: RunSource; readonly program: ProgramInfo; readonly small: SmallRun }
): string => {
  if (source.trace === null) return defaultTracePath(source.module, program, small.signature)
  return `${target.replace(/(\.small)?(\.trace)?\.jsonl$/, "")}.small.trace.jsonl`
}
