import { describe, expect, it } from "vitest"
import type { Choice } from "../../src/kernel/choice.ts"
import { makeOdometer, type OdometerOptions } from "../../src/kernel/choice-odometer.ts"

/** Every list of answers that the odometer makes a program draw. */
const all = (program: (choice: Choice) => ReadonlyArray<number>, options?: OdometerOptions) => {
  const odometer = makeOdometer(options)
  const lists: Array<string> = []
  for (let choice = odometer.next(); choice !== null; choice = odometer.next()) lists.push(program(choice).join(""))
  return { lists, isComplete: odometer.isComplete(), runs: odometer.runs() }
}

describe("The odometer", () => {
  it("counts through all lists of choices, the calm one first, also when an answer decides what is asked next", () => {
    const { lists, isComplete, runs } = all((choice) => {
      const first = choice.draw(3, "first")
      return first === 1 ? [first] : [first, choice.draw(2, "second")]
    })

    expect(lists).toEqual(["00", "01", "1", "20", "21"])
    expect([isComplete, runs]).toEqual([true, 5])
  })

  it("gives one run to a program without choices", () => {
    expect(all(() => []).lists).toEqual([""])
  })

  it("ends at its bounds, and says that it left something out", () => {
    const program = (choice: Choice) => Array.from({ length: 4 }, () => choice.draw(2, "bit"))

    expect(all(program, { runsMax: 5 })).toMatchObject({ runs: 5, isComplete: false })
    expect(all(program, { drawsMax: 2 })).toMatchObject({
      lists: ["0000", "0100", "1000", "1100"],
      isComplete: false
    })
    expect(all(program, { runsMax: 16 })).toMatchObject({ runs: 16, isComplete: true })
  })

  it("refuses a program that asks something else after the same answers", () => {
    let count = 0

    expect(() => all((choice) => [choice.draw(2, `label ${count++}`)])).toThrow("diverged at draw 0")
  })
})
