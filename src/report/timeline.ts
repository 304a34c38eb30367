import { clip } from "../domain/clip.ts"
import { sha256 } from "../domain/digest.ts"
import { failedSteps, failureSlice } from "./causal-slice.ts"
import { withOracle } from "./explain-failure.ts"
import { actorsOf } from "./mermaid-rows.ts"
import type { RunEnd, RunTrace, TracedStep } from "./run-trace.ts"
import { timelineLanes } from "./timeline-lanes.ts"
import { timelinePage } from "./timeline-page.ts"
import { timelineScript } from "./timeline-script.ts"
import { timelineStyle } from "./timeline-style.ts"
import { stepFields } from "./trace-line.ts"
import { sayDuration } from "./virtual-duration.ts"
import { visibleText } from "./visible-text.ts"

/** So many steps are shown; of a longer run the newest. */
const stepsMax = 50_000
/** So much of the bytes of a step is shown, and of all steps together; counted in UTF-16 units. */
const bytesLengthMax = 4_096
const bytesLengthSumMax = 4 * 1024 * 1024
const messageLengthMax = 2_000

/**
 * A run as one HTML page, to be opened from a file: a lane for each actor along virtual time, the details of each step, and all
 * steps as a list. The page loads nothing and runs nothing but its own script, whatever the run's texts hold; the same run
 * gives the same page.
 *
 * @since 0.1.0
 * @category reports
 */
export const htmlTimeline = (trace: RunTrace): string => {
  const { header, end } = trace
  const steps = trace.steps.slice(-stepsMax)
  const script = `"use strict";(() => {${timelineLanes}${timelineScript}})()`
  const data = {
    total: trace.steps.at(-1)?.step ?? 0,
    isFailure: end.type === "failed",
    failed: end.type === "failed" ? failedSteps(trace) : [],
    needed: failureSlice(trace).map(({ step }) => step),
    actors: [...new Set(steps.flatMap(actorsOf))],
    steps: withinBytes(steps).map(stepFields)
  }
  return timelinePage({
    title: escaped(visibleText(header.title)),
    outcome: escaped(outcomeText(end)),
    isFailed: end.type === "failed",
    facts: escaped(factsText(trace, steps)),
    replay: end.type === "unknown" || end.token === null ? "" : escaped(`SIM_REPLAY='${visibleText(end.token)}'`),
    style: timelineStyle,
    script,
    policy: `default-src 'none'; img-src data:; style-src '${hashOf(timelineStyle)}'; script-src '${hashOf(script)}'; base-uri 'none'; form-action 'none'`,
    data: embedded(data)
  })
}

const outcomeText = (end: RunEnd): string => {
  if (end.type === "ok") return "The run did not fail."
  if (end.type === "unknown") return "The run did not end."
  const message = end.message === "" ? end.signature : end.message
  return clip(`✕ ${withOracle(message, end.oracle)}`, messageLengthMax)
}

const factsText = ({ header, steps: all }: RunTrace, steps: ReadonlyArray<TracedStep>): string => {
  const count = steps.length === all.length ? `${all.length} steps` : `the last ${steps.length} of ${all.length} steps`
  const options = Object.entries(header.options).map(([name, value]) => `${name} ${value}`)
  const parts = [
    count,
    `${sayDuration(steps.at(-1)?.at ?? 0)} of virtual time`,
    `strategy ${header.strategy}`,
    `seed ${header.seed}`,
    ...options,
    `llm-understudy ${header.engine}`,
    `Node ${header.node}`
  ]
  return visibleText(parts.join(" · "))
}

/** The same steps, with no more bytes than the page can hold. */
const withinBytes = (steps: ReadonlyArray<TracedStep>): ReadonlyArray<TracedStep> => {
  let left = bytesLengthSumMax
  return steps.map((step) => {
    if (step.bytes === undefined) return step
    const bytes =
      left > 0 ? visibleLines(clip(step.bytes, bytesLengthMax)) : "… left out, as the page holds enough already"
    left -= bytes.length
    return { ...step, bytes }
  })
}

/** Lines stay lines, and all else that cannot be seen is spelled out: whether a line ends in `\r\n` can be the point. */
const visibleLines = (text: string): string => text.split("\n").map(visibleText).join("\n")

/** JSON that a page can hold in a script element: nothing in it can end the element or begin a comment. */
const embedded = (data: unknown): string =>
  JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

const escaped = (text: string): string => text.replace(/[&<>"']/g, (unit) => `&#${unit.charCodeAt(0)};`)

/** A hash as a content security policy names it. */
const hashOf = (text: string): string => {
  const bytes =
    sha256(text)
      .match(/../g)
      ?.map((digits) => Number.parseInt(digits, 16)) ?? []
  return `sha256-${btoa(String.fromCharCode(...bytes))}`
}
