import { describe, expect, test } from "vitest"
import { eventLine } from "../../src/cli/event-line.ts"

describe("a log line for people", () => {
  const place = { index: 0, at: 1_234.5 }

  test("begins with the seconds of the server's clock", () => {
    expect(eventLine({ type: "request", request: 7, method: "GET", path: "/v1/models", ...place })).toBe(
      "    1.234  #7 GET /v1/models"
    )
  })

  test("names the expectation that answers", () => {
    const decision = {
      type: "decision",
      request: 1,
      actor: 2,
      endpoint: "Messages",
      kind: "foreground",
      miss: null
    } as const

    expect(eventLine({ ...decision, source: "expectation", expectation: "first turn", ...place })).toMatch(
      / #1 foreground Messages, answered by expectation "first turn"$/
    )
    expect(eventLine({ ...decision, source: "mode", expectation: null, ...place })).toMatch(/, answered by mode$/)
  })

  test.each([
    ["held", "held until the test answers"],
    ["unexpected", "refused: nothing is scripted for it"],
    ["unauthorized", "refused: it has no valid key"]
  ] as const)("says of a request that is %s what became of it", (source, says) => {
    const decision = {
      type: "decision",
      request: 1,
      actor: 2,
      endpoint: "Messages",
      kind: "foreground",
      miss: null
    } as const

    expect(eventLine({ ...decision, source, expectation: null, ...place })).toMatch(
      new RegExp(` #1 foreground Messages, ${says}$`)
    )
  })

  test("says why nothing was scripted for a request, in one line that is not too long", () => {
    const decision = { type: "decision", request: 1, actor: 2, endpoint: "Messages", kind: "foreground" } as const
    const miss = `the nearest is \`turn\`: it wants x,\nbut \u001b[2J ${"y".repeat(1_000)}`
    const line = eventLine({ ...decision, source: "unexpected", expectation: null, miss, ...place })

    expect(line).toContain("refused: nothing is scripted for it: the nearest is `turn`: it wants x,?but ?[2J yyy")
    expect(line.length).toBeLessThan(500)
    expect(line.endsWith("y…")).toBe(true)
  })

  test("says who asks, and why a request is another try", () => {
    const who = { type: "conversation", request: 2, session: "ann", sessionRule: "session-id", turn: 1 } as const
    const first = { attempt: 1, callRule: "fingerprint", retryOf: null, because: null } as const

    expect(eventLine({ ...who, ...first, ...place })).toMatch(/ #2 session "ann" \(by session-id\), turn 1, attempt 1$/)
    expect(eventLine({ ...who, ...first, attempt: 2, retryOf: 1, because: "reset", ...place })).toMatch(
      /, turn 1, attempt 2 \(a retry of #1, which ended in reset\)$/
    )
    expect(eventLine({ ...who, ...first, attempt: null, ...place })).toMatch(/, turn 1$/)
  })

  test("brings nothing to the terminal that a client could command it with", () => {
    const line = eventLine({ type: "refused", method: "GET", path: "/\u001b[2J\u009b2J\n", status: 404, ...place })

    expect(line).toMatch(/ refused GET \/\?\[2J\?2J\?: 404$/)
  })

  test("says what was cut at the end", () => {
    expect(eventLine({ type: "closed", blocked: ["a", "b"], ...place })).toMatch(/closed, cut 2 responses$/)
    expect(eventLine({ type: "closed", blocked: [], ...place })).toMatch(/closed$/)
  })
})
