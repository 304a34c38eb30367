import fc from "fast-check"
import { expect, it } from "vitest"
import { histories } from "../../properties/arbitraries/histories.ts"
import { historyLines } from "../../properties/model/readable.ts"
import { expectation, history, request } from "./history.ts"

it("a history reads as times and sentences", () => {
  const lines = historyLines(
    history(
      expectation("first", { barriers: ["terminal"] }),
      { after: "turn", command: request({ windowBytes: 1 }) },
      { after: 15_000, command: { type: "disconnect", exchange: 0 } },
      { after: 3, command: { type: "release", expectation: 0, barrier: "terminal" } }
    )
  )

  expect(lines).toEqual([
    "server: profile compact, 1024 log entries",
    '   settled  expectation 0 "first": foreground ChatCompletions answers 2 events, barriers terminal',
    " same turn  request 0: ChatCompletions, id a and a turn index, reads 1 bytes at a time",
    "  15000 ms  the client of request 0 goes away",
    "  15003 ms  release expectation 0, barrier terminal"
  ])
})

it("a generated history prints as its lines in a report of fast-check", () => {
  const [drawn] = fc.sample(histories({ ties: "none", closes: false, names: "few" }), { seed: 1, numRuns: 1 })

  expect(fc.stringify(drawn)).toBe(drawn === undefined ? "" : `\n${historyLines(drawn).join("\n")}\n`)
})
