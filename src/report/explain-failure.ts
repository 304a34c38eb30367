import { clip } from "../domain/clip.ts"
import { failedSteps, failureSlice } from "./causal-slice.ts"
import { chosenIn } from "./chosen.ts"
import { sequenceDiagram } from "./mermaid.ts"
import type { FailedEnd, RunTrace, TracedStep } from "./run-trace.ts"
import { sayChosen } from "./say-chosen.ts"
import { sayDuration } from "./virtual-duration.ts"
import { visibleText } from "./visible-text.ts"

/** What is said of a run in which time decided nothing: on a network that is fast enough it may not come to this. */
export const untimedText = "untimed: anything that was planned could happen next, however late it was due"

const placesMax = 5
const labelLengthMax = 80
const messageLinesMax = 30
const messageLineLengthMax = 400

/**
 * The message of a failed run: what failed and where, the choices that were not calm, the line that replays it, and what led to
 * it as a sequence diagram. Of a run that did not fail, that it did not.
 *
 * @since 0.1.0
 * @category reports
 */
export const explainFailure = (trace: RunTrace): string => {
  const { end, header } = trace
  if (end.type !== "failed") return `${visibleText(header.title)}: ${notFailed[end.type]}`
  return [whatFailed(end), whereIt(trace), choices(trace), replayLine(end), picture(trace)]
    .filter((part) => part !== "")
    .join("\n\n")
}

const notFailed = { ok: "the run did not fail", unknown: "the run did not end" }

const whatFailed = ({ oracle, signature, message }: FailedEnd): string => {
  const lines = withOracle(message === "" ? signature : message, oracle).split(/\r?\n/)
  const shown = lines.slice(0, messageLinesMax).map((line) => clip(visibleText(line), messageLineLengthMax))
  const more = lines.length > messageLinesMax ? [`… ${lines.length - messageLinesMax} lines left out`] : []
  return [...shown, ...more].join("\n")
}

/** A message with the law that was broken before it, where it does not begin with that by itself. */
export const withOracle = (message: string, oracle: string | null): string =>
  oracle === null || message.startsWith(`${oracle}: `) ? message : `${oracle}: ${message}`

const whereIt = (trace: RunTrace): string => {
  const { header, steps } = trace
  const failed = new Set(failedSteps(trace))
  const lastStep = steps.at(-1)?.step ?? 0
  const places = steps.filter(({ step }) => failed.has(step)).map((step) => `at step ${place(step, lastStep)}`)
  const total = `strategy ${visibleText(header.strategy)}, seed ${header.seed}`
  const untimed = header.options["isUntimed"] === true ? [untimedText] : []
  return [...places.slice(0, placesMax), ...leftOut(places.length - placesMax, "steps"), total, ...untimed]
    .map((line) => `  ${line}`)
    .join("\n")
}

const place = (step: TracedStep, lastStep: number): string => {
  const from = step.from === undefined ? "" : ` from ${step.from}`
  return `${step.step} of ${lastStep}, ${sayDuration(step.at)}: ${named(`${step.kind} ${step.label} to ${step.actor}${from}`)}`
}

const choices = ({ steps }: RunTrace): string => {
  const chosen = chosenIn(steps)
  const isWhole = (steps[0]?.step ?? 1) === 1
  const count = chosen.length === 1 ? "1 choice is" : `${chosen.length} choices are`
  const title = `${isWhole ? "" : "At least "}${count} not calm${chosen.length === 0 ? ": it fails in the calm run" : ":"}`
  return [title, ...sayChosen(chosen).map((line) => `  ${line}`)].join("\n")
}

const replayLine = ({ token }: FailedEnd): string => (token === null ? "" : `SIM_REPLAY=${shellQuoted(token)}`)

/** Also a text that is no token must be one word of a shell. */
const shellQuoted = (text: string): string => `'${visibleText(text).replaceAll("'", String.raw`'\''`)}'`

const picture = (trace: RunTrace): string => {
  if (trace.steps.length === 0) return ""
  const kept = failureSlice(trace).length
  const title =
    kept === trace.steps.length
      ? "What led to it:"
      : `What led to it (${kept} of ${trace.steps.length} steps; the others came later, or touch nothing that it depends on):`
  return `${title}\n\n${sequenceDiagram(trace)}`
}

const named = (text: string): string => clip(visibleText(text), labelLengthMax)

const leftOut = (count: number, what: string): ReadonlyArray<string> =>
  count > 0 ? [`… ${count} ${what} left out`] : []
