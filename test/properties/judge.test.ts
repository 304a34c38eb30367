import { describe, expect, it } from "vitest"
import type { History } from "../../properties/model/command.ts"
import { judge } from "../../properties/model/judge.ts"
import type { Observations, SeenExchange } from "../../properties/observation/observations.ts"
import { runHistory } from "../../properties/observation/run-history.ts"
import { expectation, history, request } from "./history.ts"

const blockedCall = history(
  { after: 0, command: { type: "delay", ms: 10 } },
  expectation("first", { barriers: ["terminal"] }),
  request(),
  request(),
  { after: 25, command: { type: "release", expectation: 0, barrier: null } },
  request({ headers: "none" })
)

/** The invariants that a changed observation breaks. */
const lawsOf = (run: History, observations: Observations): ReadonlyArray<number> => [
  ...new Set(judge(run, observations).differences.flatMap(({ laws }) => laws))
]

const withExchange = (
  observations: Observations,
  exchange: number,
  change: (seen: SeenExchange) => Partial<SeenExchange>
): Observations => ({
  ...observations,
  exchanges: observations.exchanges.map((seen, index) =>
    seen === null || index !== exchange ? seen : { ...seen, ...change(seen) }
  )
})

describe("the reference model", () => {
  it("has nothing against what the server does", async () => {
    expect(judge(blockedCall, await runHistory(blockedCall)).differences).toEqual([])
  })

  it("knows where each answer comes from and when each copy crosses", async () => {
    const { model } = judge(blockedCall, await runHistory(blockedCall))

    expect(model.copies.slice(0, 3).map(({ source, settled }) => [source, settled])).toEqual([
      ["expectation", { as: "crossed", at: 25 }],
      ["replay", { as: "crossed", at: 25 }],
      ["mode", { as: "crossed", at: 75 }]
    ])
  })

  it("tells an answer from another source", async () => {
    const seen = withExchange(await runHistory(blockedCall), 1, () => ({ source: "mode", expectation: null }))

    expect(lawsOf(blockedCall, seen)).toEqual([29, 9])
  })

  it("tells an event that comes a millisecond late", async () => {
    const late = ({ pieces }: SeenExchange) => ({ pieces: pieces.map((piece) => ({ ...piece, at: piece.at + 1 })) })

    expect(lawsOf(blockedCall, withExchange(await runHistory(blockedCall), 0, late))).toContain(36)
  })

  it("tells bytes that a replay has and its script has not", async () => {
    const other = ({ pieces }: SeenExchange) => ({ pieces: pieces.map((piece) => ({ ...piece, text: "data: x\n\n" })) })

    expect(lawsOf(blockedCall, withExchange(await runHistory(blockedCall), 1, other))).toEqual([29, 11])
  })

  it("tells a copy that crosses before its barrier is released", async () => {
    const early = ({ settled }: SeenExchange) => ({ settled: settled && { ...settled, at: 20, index: 0 } })

    expect(lawsOf(blockedCall, withExchange(await runHistory(blockedCall), 0, early))).toEqual(
      expect.arrayContaining([16, 19])
    )
  })
})
