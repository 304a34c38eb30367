import { describe, expect, it } from "vitest"
import { alteredChoice, redrawnChoice } from "../../src/kernel/choice-mutated.ts"

const parent = Array.from({ length: 40 }, (_, index) => ({ label: `net/c${index % 2}/x`, n: 10, answer: index % 10 }))

const answersOf = (choice: { draw(n: number, label: string): number }, count = parent.length): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) => choice.draw(10, `net/c${index % 2}/x`))

const parentAnswers = parent.map(({ answer }) => answer)

const differing = (answers: ReadonlyArray<number>): number =>
  answers.filter((answer, index) => answer !== parentAnswers[index]).length

describe("A mutated choice source", () => {
  it("keeps a beginning of its parent and draws the rest anew", () => {
    const answers = answersOf(redrawnChoice(parent, { keep: 15, seed: 1 }))

    expect(answers.slice(0, 15)).toEqual(parentAnswers.slice(0, 15))
    expect(differing(answers)).toBeGreaterThan(10)
    expect(answersOf(redrawnChoice(parent, { keep: 15, seed: 1 }))).toEqual(answers)
    expect(answersOf(redrawnChoice(parent, { keep: 15, seed: 2 }))).not.toEqual(answers)
  })

  it("alters as many answers as it is told, wherever they are", () => {
    for (let seed = 0; seed < 50; seed++) {
      expect(differing(answersOf(alteredChoice(parent, { alter: 1, seed })))).toBe(1)
      expect(differing(answersOf(alteredChoice(parent, { alter: 4, seed })))).toBeLessThanOrEqual(4)
    }
  })

  it("draws anew what its parent did not draw", () => {
    const beyond = answersOf(alteredChoice(parent, { alter: 0, seed: 3 }), 80).slice(40)

    expect(new Set(beyond).size).toBeGreaterThan(5)
  })

  it("stays within what is possible when less is possible than its parent had", () => {
    const choice = redrawnChoice(parent, { keep: 40, seed: 1 })

    for (let index = 0; index < 60; index++) expect(choice.draw(3, "y")).toBeLessThan(3)
  })
})
