import { describe, expect, test } from "vitest"
import { explainFailure } from "../../src/report/explain-failure.ts"
import { failedTrace, longTrace, tracedStep } from "./many-steps.ts"
import { readDiagram } from "./mermaid-syntax.ts"
import { clientsTrace, lateChoices } from "./retrying-clients.ts"

/** The diagram at the end of a message. */
const diagramIn = (message: string): string => message.slice(message.indexOf("sequenceDiagram"))

describe("the message of a failed run", () => {
  test("says what failed and where, what was chosen, how to have it again, and what led to it", async () => {
    const message = explainFailure(clientsTrace(lateChoices))

    await expect(`${message}\n`).toMatchFileSnapshot("fixtures/late-answer.txt")
    expect(readDiagram(diagramIn(message)).problems).toEqual([])
  })

  test("tells what was picked, where it was picked against the order", () => {
    expect(explainFailure(clientsTrace(lateChoices))).toContain(
      "2 choices are not calm:\n  step 1, 5 ms: request to server went first, of 3 that could\n"
    )
  })

  test("says of a run that fails with calm choices that it does", () => {
    expect(explainFailure(failedTrace([tracedStep(1)]))).toContain("0 choices are not calm: it fails in the calm run")
  })

  test("stays short, however long the run is and however much was chosen", () => {
    const message = explainFailure(longTrace(10_000))

    expect(message.split("\n").length).toBeLessThan(80)
    expect(message).toContain("103 choices are not calm:")
    expect(message).toContain("… 83 choices left out")
  })

  // Seen to fail with "one-claim: one-claim: it broke".
  test("names the law that was broken once", () => {
    const trace = failedTrace([tracedStep(1)])
    const of = (message: string): string =>
      explainFailure({ ...trace, end: { ...failedTrace([]).end, oracle: "one-claim", message } as typeof trace.end })

    expect(of("one-claim: it broke")).toMatch(/^one-claim: it broke\n/)
    expect(of("it broke")).toMatch(/^one-claim: it broke\n/)
  })

  test("says that there may be more choices where the oldest steps are gone", () => {
    const { steps, ...trace } = clientsTrace(lateChoices)

    expect(explainFailure({ ...trace, steps: steps.slice(1) })).toContain("At least 1 choice is not calm:")
  })

  test("gives the token as one word of a shell, whatever it is", () => {
    const replay = (token: string): string | undefined =>
      /^SIM_REPLAY=.*$/m.exec(explainFailure(clientsTrace({ "net/c1": [2] }, token)))?.[0]

    expect(replay("us1.0.-.net/c1=2.k")).toBe("SIM_REPLAY='us1.0.-.net/c1=2.k'")
    expect(replay("it's\n$(x)")).toBe(String.raw`SIM_REPLAY='it'\''s\n$(x)'`)
  })

  test("shows the lines of a message, and no more than thirty of them", () => {
    const trace = failedTrace([tracedStep(1)])
    const message = Array.from({ length: 50 }, (_, index) => `line ${index}\u001b[31m`).join("\n")
    const lines = explainFailure({ ...trace, end: { ...failedTrace([]).end, message } as typeof trace.end }).split("\n")

    expect(lines.slice(28, 32)).toEqual(["line 28\\u{1b}[31m", "line 29\\u{1b}[31m", "… 20 lines left out", ""])
  })

  test("is a sentence for a run that did not fail", () => {
    expect(explainFailure(clientsTrace({}))).toBe("three clients that retry: the run did not fail")
    expect(explainFailure({ ...clientsTrace({}), end: { type: "unknown" } })).toBe(
      "three clients that retry: the run did not end"
    )
  })
})
