import type { ReplayedRun } from "../campaign/sim-worker.ts"
import { untilStopped } from "../campaign/until-stopped.ts"
import { explainFailure } from "../report/explain-failure.ts"
import type { RunTrace } from "../report/run-trace.ts"
import { stepFields } from "../report/trace-line.ts"
import { type CommandIo, exitCodes } from "./command-io.ts"
import { type CommandCrew, NothingToRun, openCommandCrew, programOfRun } from "./explore-crew.ts"
import { type RunSource, runSource } from "./replay-source.ts"
import { makeReport, type Report } from "./report.ts"

/** What `replay` was asked to do. */
export interface ReplayAsked {
  readonly target: string
  readonly module: string | null
  readonly only: string | null
}

/**
 * Makes a run again and tells how it ends, and whether it is the same run; gives the exit code.
 *
 * @since 0.1.0
 * @category replaying
 */
export const replay = async (asked: ReplayAsked, io: CommandIo): Promise<number> => {
  const report = makeReport("jsonl", io)
  let crew: CommandCrew | null = null
  try {
    const source = runSource(asked)
    for (const warning of source.warnings) report.human(`warning: ${warning}`)
    crew = await openCommandCrew(source.module, io, (text) => io.stderr.write(text))
    const program = await programOfRun(crew, source)
    const { exportName = "", name = "" } = program ?? {}
    const run =
      program === null
        ? null
        : await untilStopped(crew.worker(0).replay({ exportName, token: source.token }), crew.stopped)
    const signal = crew.stop.signal()
    if (run === null || signal !== null) {
      report.human(`stopped by ${signal}`)
      return signal === null ? exitCodes.failed : exitCodes[signal]
    }
    tell({ run, source, name, isUntimed: program?.isUntimed ?? false, report })
    // A run that could not make the choices of the token shows nothing by passing.
    return run.end.type === "ok" && run.difference === null ? exitCodes.ok : exitCodes.failed
  } catch (error) {
    return toldProblem(error, report)
  } finally {
    await crew?.close()
  }
}

/** The exit code of what could not be done, which is told; what is a defect of ours is thrown. */
export const toldProblem = (error: unknown, report: Report): number => {
  const tag = error instanceof Error && "_tag" in error ? error._tag : null
  if (!(error instanceof Error) || tag === null) throw error
  report.human(error.message)
  return error instanceof NothingToRun ? exitCodes.usage : exitCodes.failed
}

const tell = (parts: {
  readonly run: ReplayedRun
  readonly source: RunSource
  readonly name: string
  readonly isUntimed: boolean
  readonly report: Report
}): void => {
  const { run, source, name, isUntimed, report } = parts
  const { end, isSame, difference, steps, stack } = run
  const failed = end.type === "failed" ? { signature: end.signature, message: end.message } : null
  report.record({
    type: "replay",
    program: name,
    outcome: end.type,
    signature: failed?.signature ?? null,
    message: failed?.message ?? null,
    steps: steps.at(-1)?.step ?? 0,
    hash: end.hash,
    isSame,
    difference,
    token: source.token
  })
  if (isSame === false) report.human(`${name}: this is another run than then`, firstDifference(source.trace, run))
  if (failed === null && difference !== null) {
    report.human(
      `${name}: the run passes, and it is not the run of the token: ${difference}. The program, its options or what it imports ` +
        "asks for other choices now: explore again"
    )
    return
  }
  if (failed === null) {
    const then = source.trace?.end.type === "failed" ? `; then it failed with: ${source.trace.end.message}` : ""
    report.human(`${name}: the run passes, in ${steps.length} steps${then}`)
    return
  }
  const text = explainFailure(traceNow(run, { source, name, isUntimed }))
  report.human(`${name}: FAILED${isSame === true ? ", the same run" : ""}`, [
    "",
    text,
    ...(stack === null ? [] : ["", "thrown", stack])
  ])
}

const traceNow = (
  { end, steps }: ReplayedRun,
  parts: { readonly source: RunSource; readonly name: string; readonly isUntimed: boolean }
): RunTrace => ({
  header: parts.source.trace?.header ?? {
    title: parts.name,
    engine: "",
    strategy: "none, from a token",
    seed: 0,
    options: parts.isUntimed ? { isUntimed: true } : {},
    node: "",
    machines: "",
    lock: ""
  },
  end,
  steps
})

/** Where the run left the one of the trace. */
const firstDifference = (trace: RunTrace | null, { steps }: ReplayedRun): ReadonlyArray<string> => {
  if (trace === null) return []
  const line = (at: number, list: RunTrace["steps"]): string => {
    const step = list[at]
    return step === undefined ? "the end" : JSON.stringify(stepFields(step))
  }
  for (let at = 0; at < Math.max(steps.length, trace.steps.length); at++) {
    const [then, now] = [line(at, trace.steps), line(at, steps)]
    if (then !== now) return ["the first step that differs:", `  then ${then}`, `  now  ${now}`]
  }
  return ["all steps are the same; what they showed is not"]
}
