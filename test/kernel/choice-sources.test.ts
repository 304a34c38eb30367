import { describe, expect, it } from "vitest"
import type { Choice } from "../../src/kernel/choice.ts"
import { calmChoice, type Draw, listedChoice, recordedChoice, seededChoice } from "../../src/kernel/choice-sources.ts"

const draws = (choice: Choice, ...ns: ReadonlyArray<number>) => ns.map((n) => choice.draw(n, "label"))

describe("a choice source", () => {
  it("that is calm answers 0", () => {
    expect(draws(calmChoice, 1, 2, 100)).toEqual([0, 0, 0])
  })

  it("with a seed follows from it alone, and stays in its range", () => {
    const ns = Array.from({ length: 1_000 }, (_, index) => 1 + (index % 7))
    const answers = draws(seededChoice(42), ...ns)

    expect(draws(seededChoice(42), ...ns)).toEqual(answers)
    expect(draws(seededChoice(43), ...ns)).not.toEqual(answers)
    expect(answers.every((answer, index) => answer >= 0 && answer < (ns[index] ?? 0))).toBe(true)
    expect(new Set(draws(seededChoice(1), ...Array(200).fill(5)))).toEqual(new Set([0, 1, 2, 3, 4]))
  })

  it("with a list answers from it, and calmly when it has run out", () => {
    expect(draws(listedChoice([1, 7, 0]), 3, 3, 3, 3)).toEqual([1, 1, 0, 0])
  })

  it("that is recorded can be given again", () => {
    const record: Array<Draw> = []
    const answers = draws(recordedChoice(seededChoice(9), record), 2, 3, 4, 5)

    expect(record.map(({ n, label }) => [n, label])).toEqual([2, 3, 4, 5].map((n) => [n, "label"]))
    expect(draws(listedChoice(record.map(({ answer }) => answer)), 2, 3, 4, 5)).toEqual(answers)
  })
})
