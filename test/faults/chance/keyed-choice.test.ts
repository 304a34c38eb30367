import { describe, expect, it } from "vitest"
import { chooseFault } from "../../../src/faults/chance/choose.ts"
import { keyedChoice } from "../../../src/faults/chance/keyed-choice.ts"
import { defaultRandomWeights, readWeights } from "../../../src/faults/chance/weights.ts"
import { derive } from "../../../src/kernel/derive-seed.ts"
import { mulberry32 } from "../../../src/kernel/mulberry32.ts"

const stress = readWeights(defaultRandomWeights)
const turns = Array.from({ length: 50 }, (_, turn) => turn + 1)

describe("a keyed choice", () => {
  it("is the first output of the stream of its key", () => {
    const first = mulberry32(derive(42, "key:s-1/3/2"))()

    expect(keyedChoice(42, { session: "s-1", turn: 3, attempt: 2 }, stress)).toBe(chooseFault(stress, first / 2 ** 32))
  })

  it("does not depend on what was asked before", () => {
    const ask = (turn: number) => keyedChoice(42, { session: "s", turn, attempt: 1 }, stress)
    const forward = turns.map(ask)
    const backward = turns.toReversed().map(ask).toReversed()

    expect(backward).toEqual(forward)
    expect(new Set(forward).size).toBeGreaterThan(5)
  })

  it("is another for another session, attempt or seed", () => {
    const ask = (seed: number, session: string, attempt: number) =>
      turns.map((turn) => keyedChoice(seed, { session, turn, attempt }, stress)).join()

    expect(new Set([ask(42, "s", 1), ask(42, "t", 1), ask(42, "s", 2), ask(43, "s", 1)]).size).toBe(4)
  })
})
