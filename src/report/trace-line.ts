import type { OptionValue, RunEnd, RunTrace, TracedStep, TraceHeader } from "./run-trace.ts"

/** The version of the format. A reader refuses another one. */
export const traceVersion = 1

/** What the first line of a trace file begins with, so that it can be told from other files of JSON lines. */
export const traceFamily = "llm-understudy trace"

/**
 * The header as a line of a trace file. With `end` it is the header of a run that is over; without, lines of steps and a
 * `traceEndLine` follow as the run goes on.
 *
 * **Source** simulation.md, section 5.7
 *
 * @since 0.1.0
 * @category encoding
 */
export const traceHeaderLine = (
  { title, engine, strategy, seed, options, node, machines, lock }: TraceHeader,
  over?: { readonly end: RunEnd; readonly stepCount: number }
): string =>
  line({
    trace: traceFamily,
    version: traceVersion,
    title,
    engine,
    strategy,
    seed,
    options: sorted(options),
    node,
    machines,
    lock,
    ...(over === undefined ? { outcome: "running" } : endFields(over.end, over.stepCount))
  })

/**
 * How a run ended, as the last line of a file that was written while it went on.
 *
 * @since 0.1.0
 * @category encoding
 */
export const traceEndLine = (end: RunEnd, stepCount: number): string => line({ end: endFields(end, stepCount) })

/**
 * A step as a line of a trace file.
 *
 * @since 0.1.0
 * @category encoding
 */
export const traceStepLine = (step: TracedStep): string => line(stepFields(step))

/**
 * A whole run as the text of a trace file.
 *
 * @since 0.1.0
 * @category encoding
 */
export const encodeTrace = ({ header, end, steps }: RunTrace): string =>
  traceHeaderLine(header, { end, stepCount: steps.length }) + steps.map(traceStepLine).join("")

/** A step as the object of its line; absent members are undefined. */
export const stepFields = (step: TracedStep): Readonly<Record<string, unknown>> => ({
  i: step.step,
  t: step.at,
  op: step.kind,
  label: step.label,
  actor: step.actor,
  from: step.from,
  ch: step.channel,
  chain: step.chain,
  cause: step.cause,
  enabled: step.enabled,
  draws: step.draws.map(({ label, n, answer }) => [label, n, answer]),
  touches: step.touches,
  note: step.note,
  state: step.state,
  bytes: step.bytes
})

const endFields = (end: RunEnd, steps: number): Readonly<Record<string, unknown>> => {
  if (end.type === "unknown") return { outcome: "unknown", steps }
  if (end.type === "ok") return { outcome: "ok", steps, hash: end.hash, token: end.token }
  const { oracle, signature, message, failedAt, hash, token } = end
  return { outcome: "failed", steps, oracle, signature, message, failedAt, hash, token }
}

const sorted = (options: Readonly<Record<string, OptionValue>>): Readonly<Record<string, OptionValue>> =>
  Object.fromEntries(Object.entries(options).sort(([one], [other]) => (one < other ? -1 : 1)))

const line = (fields: Readonly<Record<string, unknown>>): string => `${JSON.stringify(fields)}\n`
