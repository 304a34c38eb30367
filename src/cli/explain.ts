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
import { makeReport } from "./report.ts"

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
    const files = await filesOf(trace, asked)
    for (const { path, what, text } of files) {
      write(path, text)
      report.human(`${what} is in ${path}`)
    }
    if (asked.isMermaid) io.stdout.write(`${sequenceDiagram(trace)}\n`)
    else if (files.length === 0) {
      io.stdout.write(`${trace.end.type === "failed" ? explainFailure(trace) : passedText(trace)}\n`)
    }
    return exitCodes.ok
  } catch (error) {
    return toldProblem(error, report)
  }
}

interface Written {
  readonly path: string
  readonly what: string
  readonly text: string
}

const filesOf = async (trace: RunTrace, asked: ExplainAsked): Promise<ReadonlyArray<Written>> => {
  const files: Array<Written> = []
  if (asked.html !== null) {
    const { htmlTimeline } = await import("../report/timeline.ts")
    files.push({ path: asked.html, what: "the timeline", text: htmlTimeline(trace) })
  }
  if (asked.shiviz !== null) {
    files.push({ path: asked.shiviz, what: "the log for ShiViz", text: shivizLog(trace.steps) })
  }
  if (asked.test !== null) {
    const program = programOfTrace(trace, asked.trace)
    const test = testOfTrace(trace, asked.trace)
    if (program === null && test !== null) throw new NothingToRun(ownTestText(test, trace))
    if (program === null) throw new NothingToRun(`${asked.trace} names no module, so no test can import it`)
    if (trace.end.type !== "failed" || trace.end.token === null) {
      throw new NothingToRun(`${asked.trace} is of no failed run that can be had again, so there is nothing to test`)
    }
    const { token, message } = trace.end
    const title = trace.header.title
    files.push({
      path: asked.test,
      what: "the regression test",
      text: regressionTestFor({ file: asked.test, program, title, token, message })
    })
  }
  return files
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
    const reason = error instanceof Error ? error.message : String(error)
    throw new RunFailed(`cannot write ${path}: ${reason}; give a file that can be written`)
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
