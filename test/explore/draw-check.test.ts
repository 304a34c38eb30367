import { describe, expect, it } from "vitest"
import { differenceText, drawCheckOf, isDrawCheck, replayDifference } from "../../src/explore/draw-check.ts"
import { listsOf } from "../../src/kernel/choice-forks.ts"
import type { Draw } from "../../src/kernel/choice-sources.ts"

/** As many draws as are asked for; the last one of them is not calm. */
const rowOf = (length: number, label = "net/ann/latency"): ReadonlyArray<Draw> =>
  Array.from({ length }, (_, at) => ({ label, n: 9, answer: at === length - 1 ? 3 : 0 }))

const tokenOf = (draws: ReadonlyArray<Draw>) => ({ lists: listsOf(draws), check: drawCheckOf(draws) })

const differenceOf = (then: ReadonlyArray<Draw>, now: ReadonlyArray<Draw>): string | null => {
  const difference = replayDifference(tokenOf(then), now)
  return difference === null ? null : differenceText(difference)
}

// Seen to fail when letters stand for single draws alone, for a letter fits by chance.
describe("What a token says of the draws of its run", () => {
  it("ends with the last choice that is not calm", () => {
    const draws = rowOf(5)
    const after: Draw = { label: "later/x", n: 4, answer: 0 }

    expect(drawCheckOf([...draws, after, after])).toBe(drawCheckOf(draws))
    expect(differenceOf(draws, [...draws, after])).toBeNull()
    expect(differenceOf([...draws, after], draws)).toBeNull()
  })

  it("tells each of the first 64 draws, by its label and by how many answers it had", () => {
    const draws = rowOf(64)
    for (let at = 0; at < draws.length; at++) {
      const other = draws.with(at, { label: "net/ann/rst", n: 9, answer: 0 })
      const { from = -1, to = -1 } = replayDifference({ lists: null, check: drawCheckOf(draws) }, other)?.draw ?? {}
      // A letter fits by chance now and then; the one behind it tells.
      expect(from).toBeGreaterThanOrEqual(at)
      expect(to).toBeLessThanOrEqual(Math.min(at + 2, 63))
    }
    expect(differenceOf(draws, draws.with(7, { label: "net/ann/latency", n: 8, answer: 0 }))).toContain(
      "the first draw that differs is 7: asked net/ann/latency of 8"
    )
  })

  it("stays short for a long run, and tells between which draws it was left", () => {
    const draws = rowOf(6_400)
    const check = drawCheckOf(draws)

    expect(check.length).toBeLessThan(70)
    expect(isDrawCheck(check)).toBe(true)
    expect(differenceOf(draws, draws.with(1250, { label: "other/x", n: 2, answer: 0 }))).toContain(
      "a draw from 1200 to 1299 differs: the first of them asked net/ann/latency of 9"
    )
  })

  it("tells a run that ended too early, and choices that nothing asked for", () => {
    expect(differenceOf(rowOf(5), rowOf(5).slice(0, 3))).toBe(
      "it ended at draw 3, and the run of the token went on; nothing asked for net/ann takes 3 at 4"
    )
    expect(differenceText({ draw: null, unasked: [1, 2, 3, 4, 5].map((at) => ({ fork: "f", at, value: 1 })) })).toBe(
      "nothing asked for f takes 1 at 1; f takes 1 at 2; f takes 1 at 3; 2 more"
    )
  })

  it("is known for what it is", () => {
    expect(["1-A", "0-", "2-_-"].every(isDrawCheck)).toBe(true)
    expect(["", "1-", "1-AB", "1-%", "A-A"].some(isDrawCheck)).toBe(false)
  })
})
