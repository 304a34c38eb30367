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
    const decision = { type: "decision", request: 1, actor: 2, endpoint: "Messages", kind: "foreground" } as const

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
    const decision = { type: "decision", request: 1, actor: 2, endpoint: "Messages", kind: "foreground" } as const

    expect(eventLine({ ...decision, source, expectation: null, ...place })).toMatch(
      new RegExp(` #1 foreground Messages, ${says}$`)
    )
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
