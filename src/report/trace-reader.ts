import type { Draw } from "../kernel/choice-sources.ts"
import type { OptionValue, RunEnd, RunTrace, TracedStep, TraceHeader } from "./run-trace.ts"
import { type FieldReader, InvalidTrace, isInteger, readFields } from "./trace-fields.ts"
import { traceFamily, traceVersion } from "./trace-line.ts"

/**
 * A trace file as it was read.
 *
 * @since 0.1.0
 * @category encoding
 */
export interface TraceRead {
  readonly trace: RunTrace
  /** What of the end is missing, in words; `null` when nothing is. The steps that are there are good. */
  readonly cut: string | null
}

/** So many steps are read. */
const stepsMax = 1_000_000

/**
 * Reads a trace file. Files are only ever added to, so one that a crash left behind is good but for its end: then the last line
 * may be cut, and the outcome missing, and `cut` says so.
 *
 * **Fails** with `InvalidTrace`, which names line and member
 *
 * @since 0.1.0
 * @category encoding
 */
export const decodeTrace = (text: string): TraceRead => {
  const lines = text.split("\n")
  // Behind the last line feed stands nothing, or a line that was not written to its end.
  const tail = lines.pop() ?? ""
  const whole = parsed(tail)
  if (whole !== null) lines.push(tail)
  const head = lines[0]
  if (head === undefined || head.trim() === "")
    throw new InvalidTrace(1, tail === "" ? "the file is empty" : "the header is cut, or this is no JSON")

  const first = readFields(1, parsed(head)?.value ?? fail(1))
  const header = readHeader(first)
  let ending = readEnd(first)
  const steps: Array<TracedStep> = []
  for (let index = 1; index < lines.length; index++) {
    const line = index + 1
    const fields = readFields(line, parsed(lines[index] ?? "")?.value ?? fail(line))
    if (ending?.isLast === true) throw new InvalidTrace(line, "it stands behind the end of the run")
    if (fields.has("end")) ending = { ...readEnd(fields.inside("end")), isLast: true }
    else steps.push(readStep(fields, steps.at(-1)))
    if (steps.length > stepsMax) throw new InvalidTrace(line, `there are more than ${stepsMax} steps`)
  }

  if (ending.stepCount !== null && ending.stepCount < steps.length)
    throw new InvalidTrace(lines.length, `it is step ${steps.length} of ${ending.stepCount}`)
  const cut =
    whole === null && tail !== ""
      ? `line ${lines.length + 1} is cut: ${count(steps.length)} before it can be read`
      : ending.stepCount === null
        ? `the run did not end: ${count(steps.length)}, and no outcome`
        : ending.stepCount > steps.length
          ? `it ends after ${count(steps.length)} of ${ending.stepCount}`
          : null
  return { trace: { header, end: ending.end, steps }, cut }
}

const count = (steps: number): string => (steps === 1 ? "1 step" : `${steps} steps`)

const fail = (line: number): never => {
  throw new InvalidTrace(line, "it is no JSON. Only the last line may be cut")
}

const parsed = (text: string): { readonly value: unknown } | null => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null
  }
}

const readHeader = (fields: FieldReader): TraceHeader => {
  if (fields.raw("trace") !== traceFamily) fields.fail("trace", JSON.stringify(traceFamily))
  const version = fields.integer("version", 1)
  const engine = fields.text("engine")
  if (version !== traceVersion) {
    const advice = `read it with llm-understudy ${engine}, which wrote it`
    throw new InvalidTrace(1, `the format has version ${version}, and this reads version ${traceVersion}: ${advice}`)
  }
  return {
    title: fields.text("title"),
    engine,
    strategy: fields.text("strategy"),
    seed: fields.integer("seed", 0),
    options: readOptions(fields.inside("options")),
    node: fields.text("node"),
    machines: fields.text("machines"),
    lock: fields.text("lock")
  }
}

const readOptions = (fields: FieldReader): Readonly<Record<string, OptionValue>> =>
  Object.fromEntries(
    fields.names().map((name): [string, OptionValue] => {
      const value = fields.raw(name)
      if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
        return [name, value]
      return fields.fail(name, "a text, a number, true, false or null")
    })
  )

interface Ending {
  readonly end: RunEnd
  /** How many steps the file has; `null` while that is not known. */
  readonly stepCount: number | null
  readonly isLast?: boolean
}

const outcomes = ["running", "unknown", "ok", "failed"] as const

const readEnd = (fields: FieldReader): Ending => {
  const type = fields.oneOf("outcome", outcomes)
  if (type === "running") return { end: { type: "unknown" }, stepCount: null }
  const stepCount = fields.integer("steps", 0)
  if (type === "unknown") return { end: { type }, stepCount }
  const made = { hash: fields.textOrNull("hash"), token: fields.textOrNull("token") }
  if (type === "ok") return { end: { type, ...made }, stepCount }
  const failed = {
    oracle: fields.textOrNull("oracle"),
    signature: fields.text("signature"),
    message: fields.text("message"),
    failedAt: fields.list("failedAt", (one) => (isInteger(one) ? one : undefined), "numbers of steps")
  }
  return { end: { type, ...failed, ...made }, stepCount }
}

const kinds = ["deliver", "timer", "task"] as const

const readStep = (fields: FieldReader, before: TracedStep | undefined): TracedStep => {
  const step = fields.integer("i", 1)
  const at = fields.amount("t")
  const cause = fields.integerOrNull("cause", 1)
  if (before !== undefined && step <= before.step) fields.fail("i", `more than ${before.step}, for steps are in order`)
  if (before !== undefined && at < before.at) fields.fail("t", `at least ${before.at}, for time does not go back`)
  if (cause !== null && cause >= step) fields.fail("cause", "an earlier step")
  const touches = fields.has("touches") ? { touches: fields.list("touches", readText, "texts") } : {}
  return {
    step,
    at,
    kind: fields.oneOf("op", kinds),
    label: fields.text("label"),
    actor: fields.text("actor"),
    channel: fields.textOrNull("ch"),
    chain: fields.integer("chain", 0),
    cause,
    enabled: fields.integer("enabled", 1),
    draws: fields.list("draws", readDraw, "draws like [label, n, answer] with 0 <= answer < n"),
    ...touches,
    ...detail(fields)
  }
}

const detail = (fields: FieldReader): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ["from", "note", "state", "bytes"].filter(fields.has).map((name): [string, string] => [name, fields.text(name)])
  )

const readText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const readDraw = (value: unknown): Draw | undefined => {
  if (!Array.isArray(value) || value.length !== 3) return undefined
  const [label, n, answer]: ReadonlyArray<unknown> = value
  if (typeof label !== "string" || !isInteger(n) || !isInteger(answer)) return undefined
  return answer >= 0 && answer < n ? { label, n, answer } : undefined
}
