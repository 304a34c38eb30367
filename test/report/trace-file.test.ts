import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { traceDifferences } from "../../src/report/trace-differences.ts"
import { InvalidTrace } from "../../src/report/trace-fields.ts"
import { encodeTrace, traceEndLine, traceHeaderLine, traceStepLine } from "../../src/report/trace-line.ts"
import { decodeTrace } from "../../src/report/trace-reader.ts"
import { clientsTrace, lateChoices } from "./retrying-clients.ts"

const failed = clientsTrace(lateChoices)
const text = encodeTrace(failed)

const problemOf = (file: string): InvalidTrace => {
  try {
    decodeTrace(file)
  } catch (error) {
    if (error instanceof InvalidTrace) return error
    throw error
  }
  throw new Error("it was read")
}

/** The file with one line changed by its members. */
const changed = (line: number, change: Readonly<Record<string, unknown>>): string =>
  text
    .split("\n")
    .map((each, index) => (index === line - 1 ? JSON.stringify({ ...JSON.parse(each), ...change }) : each))
    .join("\n")

describe("a trace file", () => {
  test("is the same for the same run, and as the golden has it", async () => {
    expect(encodeTrace(clientsTrace(lateChoices))).toBe(text)
    await expect(text).toMatchFileSnapshot("fixtures/late-answer.jsonl")
  })

  test("is read back as it was written", () => {
    expect(decodeTrace(text)).toEqual({ trace: failed, cut: null })
    const calm = clientsTrace({})
    expect(decodeTrace(encodeTrace(calm))).toEqual({ trace: calm, cut: null })
  })

  test("keeps every text as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (label, message) => {
        const steps = failed.steps.map((step) => ({ ...step, label, note: message }))
        const trace = { ...failed, steps, end: { ...failed.end, type: "ok" as const, hash: null, token: message } }
        const { type, hash, token } = trace.end
        expect(decodeTrace(encodeTrace(trace)).trace).toEqual({ ...trace, end: { type, hash, token } })
      }),
      { numRuns: 50 }
    )
  })

  test("that was written while the run went on ends with a line that says how it ended", () => {
    const lines = traceHeaderLine(failed.header) + failed.steps.map(traceStepLine).join("")

    expect(decodeTrace(lines + traceEndLine(failed.end, failed.steps.length))).toEqual({ trace: failed, cut: null })
    expect(decodeTrace(lines)).toEqual({
      trace: { ...failed, end: { type: "unknown" } },
      cut: `the run did not end: ${failed.steps.length} steps, and no outcome`
    })
  })

  test("that a crash cut anywhere behind its header gives the steps that are whole, and says that it is cut", () => {
    const header = traceHeaderLine(failed.header, { end: failed.end, stepCount: failed.steps.length }).length
    for (let length = header; length < text.length - 1; length++) {
      const { trace, cut } = decodeTrace(text.slice(0, length))
      const whole = text.slice(0, length).split("\n").length - 2
      const isWhole = text[length] === "\n" ? 1 : 0
      expect(trace.steps).toEqual(failed.steps.slice(0, whole + isWhole))
      expect(cut).toMatch(/^line \d+ is cut: |^it ends after \d+ steps? of 1\d$/)
    }
    expect(decodeTrace(text.slice(0, -1)).cut).toBeNull()
  })

  test.each([
    ["", 1, "the file is empty"],
    ["\n", 1, "the file is empty"],
    [text.slice(0, 40), 1, "the header is cut"],
    ["{}\n", 1, '"trace" must be "llm-understudy trace", and is missing'],
    ["[1]\n", 1, "it must be an object, and is [1]"],
    [changed(1, { version: 2, engine: "9.1.0" }), 1, "read it with llm-understudy 9.1.0"],
    [changed(1, { options: { a: {} } }), 1, '"options.a" must be a text, a number, true, false or null, and is {}'],
    [changed(1, { outcome: "lost" }), 1, '"outcome" must be one of running, unknown, ok, failed, and is "lost"'],
    [changed(1, { steps: 1 }), 13, "it is step 12 of 1"],
    [changed(3, { t: "5" }), 3, '"t" must be a number of at least 0, and is "5"'],
    [changed(3, { t: 4 }), 3, '"t" must be at least 5, for time does not go back, and is 4'],
    [changed(4, { i: 1 }), 4, '"i" must be more than 2, for steps are in order, and is 1'],
    [changed(4, { cause: 3 }), 4, '"cause" must be an earlier step, and is 3'],
    [changed(4, { op: "fault" }), 4, '"op" must be one of deliver, timer, task, and is "fault"'],
    [changed(4, { draws: [["net", 2, 2]] }), 4, '"draws" must be a list of draws like [label, n, answer]'],
    [changed(4, { note: 1 }), 4, '"note" must be a text, and is 1'],
    [`${text}garbage\n`, 14, "it is no JSON. Only the last line may be cut"],
    [text.replace("\n{", "\n{{"), 2, "it is no JSON. Only the last line may be cut"],
    [text + traceEndLine(failed.end, 12) + text.split("\n")[1], 15, "it stands behind the end of the run"]
  ])("is refused with line and reason when it is none (%#)", (file, line, reason) => {
    const problem = problemOf(file)

    expect(problem._tag).toBe("InvalidTrace")
    expect(problem.line).toBe(line)
    expect(problem.message).toContain(reason)
  })

  test("that was made elsewhere is read with a warning for each thing that differs", () => {
    const now = { engine: "0.1.0", node: "v22.1.0", machines: "", lock: "other" }

    expect(traceDifferences(failed.header, now)).toEqual([
      "Node differs: the run was made with v20.19.0, and this is v22.1.0",
      "the lock file differs: the run was made with none, and this is other"
    ])
    expect(traceDifferences(failed.header, failed.header)).toEqual([])
  })
})
