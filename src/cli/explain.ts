import { writeFileSync } from "node:fs"
import { programOfTrace } from "../campaign/run-trace-file.ts"
import { againCommand, type TracedTest, testOfTrace } from "../campaign/traced-test.ts"
import { explainFailure } from "../report/explain-failure.ts"
import { sequenceDiagram } from "../report/mermaid.ts"
import type { RunTrace } from "../report/run-trace.ts"
import { shivizLog } from "../report/shiviz.ts"
import { type CommandIo, exitCodes, RunFailed } from "./command-io.ts"
import { regressionTestFor } from "./explain-test.ts"
import { NothingToRun } from "./explore-crew.ts"
import { toldProblem } from "./replay.ts"
import { givenTrace } from "./replay-source.ts"
import { makeReport, type Report } from "./report.ts"
import { unwritableText } from "./unwritable.ts"

/** What `explain` was asked to do. */
export interface ExplainAsked {
  readonly trace: string
  readonly isMermaid: boolean
  readonly html: string | null
  readonly shiviz: string | null
  readonly test: string | null
}

/** Of a run that did not fail the diagram shows what led to its last step. */
const passedText = (trace: RunTrace): string =>
  `${explainFailure(trace)}; ${trace.steps.length} steps\n\nWhat led to the last one:\n\n${sequenceDiagram(trace)}`

/**
 * Shows the run of a trace in the forms that were asked for; gives the exit code.
 *
 * @since 0.1.0
 * @category reports
 */
export const explain = async (asked: ExplainAsked, io: CommandIo): Promise<number> => {
  const report = makeReport("jsonl", io)
  try {
    const { trace, cut } = givenTrace(asked.trace)
    if (cut !== null) report.human(`warning: the trace is cut: ${cut}`)
    const code = await writeFiles(filesOf(trace, asked), report)
    if (asked.isMermaid) io.stdout.write(`${sequenceDiagram(trace)}\n`)
    else if (asked.html === null && asked.shiviz === null && asked.test === null) {
      io.stdout.write(`${trace.end.type === "failed" ? explainFailure(trace) : passedText(trace)}\n`)
    }
    return code
  } catch (error) {
    return toldProblem(error, report)
  }
}

/** A file that may be asked for. */
interface AskedFile {
  /** `null` when it is not. */
  readonly path: string | null
  readonly what: string
  /** Fails with `NothingToRun` when there can be none of it. */
  text(path: string): Promise<string>
}

const filesOf = (trace: RunTrace, asked: ExplainAsked): ReadonlyArray<AskedFile> => [
  {
    path: asked.html,
    what: "the timeline",
    text: async () => (await import("../report/timeline.ts")).htmlTimeline(trace)
  },
  { path: asked.shiviz, what: "the log for ShiViz", text: async () => shivizLog(trace.steps) },
  { path: asked.test, what: "the regression test", text: async (file) => testOf(trace, { from: asked.trace, file }) }
]

/** One that cannot be had costs none of the others; the exit code is that of the first such. */
const writeFiles = async (files: ReadonlyArray<AskedFile>, report: Report): Promise<number> => {
  let code: number = exitCodes.ok
  for (const { path, what, text } of files) {
    if (path === null) continue
    try {
      write(path, await text(path))
      report.human(`${what} is in ${path}`)
    } catch (error) {
      const failed = toldProblem(error, report)
      if (code === exitCodes.ok) code = failed
    }
  }
  return code
}

const testOf = (trace: RunTrace, { from, file }: { readonly from: string; readonly file: string }): string => {
  const program = programOfTrace(trace, from)
  const test = testOfTrace(trace, from)
  if (program === null && test !== null) throw new NothingToRun(ownTestText(test, trace))
  if (program === null) throw new NothingToRun(`${from} names no module, so no test can import it`)
  if (trace.end.type !== "failed" || trace.end.token === null) {
    throw new NothingToRun(`${from} is of no failed run that can be had again, so there is nothing to test`)
  }
  const { token, message } = trace.end
  return regressionTestFor({ file, program, title: trace.header.title, token, message })
}

/** The body of a simulated test can be reached from no other file; what fails in it can be kept in its own. */
const ownTestText = (test: TracedTest, { end }: RunTrace): string => {
  const token = end.type === "unknown" ? null : end.token
  const own = `this is a run of the simulated test ${JSON.stringify(test.test)}, whose body no other file can import`
  if (token === null) return `${own}, and it cannot be had again`
  return (
    `${own}: to try it first in every run of that test, give it the option first: ["${token}"], or commit what __sim__ keeps ` +
    `beside its file; to have it once: ${againCommand(test, token)}`
  )
}

/** To write over a trace is most likely a slip. */
const write = (path: string, text: string): void => {
  if (isTrace(path)) {
    throw new RunFailed(`${path} is a trace, which is not written over; give another file`)
  }
  try {
    writeFileSync(path, text)
  } catch (error) {
    throw new RunFailed(`cannot write ${path}: ${unwritableText(path, error)}; give a file that can be written`)
  }
}

const isTrace = (path: string): boolean => {
  try {
    givenTrace(path)
    return true
  } catch {
    return false
  }
}
