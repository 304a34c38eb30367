import { describe, expect, it } from "vitest"
import { forkedChoice, forkListedChoice } from "../../src/kernel/choice-forked.ts"
import { forkOf, listsOf, nonCalmCount, trimmed } from "../../src/kernel/choice-forks.ts"
import { type Draw, recordedChoice } from "../../src/kernel/choice-sources.ts"

describe("A fork of a choice source", () => {
  it("is named by what stands before the last slash of a label, or by all of it", () => {
    expect(["net/c1/latency", "schedule", "a/b", "/x"].map(forkOf)).toEqual(["net/c1", "schedule", "a", ""])
  })

  it("has a stream of its own, which draws of others do not shift", () => {
    const alone = forkedChoice(7)
    const mixed = forkedChoice(7)
    const drawn = Array.from({ length: 20 }, () => alone.draw(100, "net/c1/latency"))
    const besides = Array.from({ length: 20 }, () => {
      mixed.draw(9, "net/c2/latency")
      return mixed.draw(100, "net/c1/fault")
    })

    expect(besides).toEqual(drawn)
    expect(new Set(drawn).size).toBeGreaterThan(10)
  })

  it("has other streams for other seeds and other forks", () => {
    const first = (seed: number, label: string) => {
      const choice = forkedChoice(seed)
      return Array.from({ length: 5 }, () => choice.draw(1_000, label)).join()
    }

    expect(new Set([first(1, "a/x"), first(2, "a/x"), first(1, "b/x"), first(1, "a/y")]).size).toBe(3)
  })

  it("is answered from its own list, modulo what is possible, and calmly beyond its end", () => {
    const choice = forkListedChoice({ "net/c1": [7, 1], __proto__: [3] })

    expect([choice.draw(4, "net/c1/x"), choice.draw(4, "net/c2/x"), choice.draw(4, "net/c1/y")]).toEqual([3, 0, 1])
    expect(choice.draw(4, "net/c1/x")).toBe(0)
    expect(choice.draw(4, "toString")).toBe(0)
  })

  it("keeps its list when a record is taken apart, so that the run can be had again", () => {
    const record: Array<Draw> = []
    const ask = (choice: { draw(n: number, label: string): number }) =>
      ["a/x", "b/x", "a/y", "schedule", "__proto__", "a/x"].map((label) => choice.draw(50, label))
    const answers = ask(recordedChoice(forkedChoice(3), record))

    expect(ask(forkListedChoice(listsOf(record)))).toEqual(answers)
  })

  it("is left out when it is calm, as are calm choices at its end", () => {
    expect(trimmed({ a: [0, 2, 0, 0], b: [0, 0], c: [] })).toEqual({ a: [0, 2] })
    expect(nonCalmCount({ a: [0, 2, 0, 1], b: [0, 5] })).toBe(3)
  })
})
