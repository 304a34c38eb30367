import { describe, expect, test } from "vitest"
import { closest, suggestion } from "../../src/domain/spelling.ts"

const names = ["name", "endpoint", "kind", "response", "barriers"]

describe("the closest word", () => {
  test.each([
    ["nmae", "name"],
    ["Endpoint", "endpoint"],
    ["enpoint", "endpoint"],
    ["respones", "response"],
    ["barrier", "barriers"],
    ["resp", "response"]
  ])("of %s is %s", (word, meant) => {
    expect(closest(word, names)).toBe(meant)
  })

  test.each(["", "x", "timeout", "re", "y".repeat(100_000)])("of %j is none", (word) => {
    expect(closest(word, names)).toBeUndefined()
  })

  test("is the first of equally close ones", () => {
    expect(closest("bat", ["cat", "hat"])).toBe("cat")
  })

  test("is offered as a question", () => {
    expect(suggestion("nmae", names)).toBe('; did you mean "name"?')
    expect(suggestion("timeout", names)).toBe("")
  })
})
