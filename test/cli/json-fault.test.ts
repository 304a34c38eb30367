import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { jsonFault } from "../../src/cli/json-fault.ts"

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe("the place where a text stops being JSON", () => {
  test.each([
    ["", 0, "value"],
    ["[1,]", 3, "value"],
    ["[1 2]", 3, ", or ]"],
    ['{"a":1,}', 7, "key"],
    ['{"a" 1}', 5, ":"],
    ["{a:1}", 1, "key or }"],
    ["[", 1, "value or ]"],
    ["[}", 1, "value or ]"],
    ["{} x", 3, "the end"],
    ["01", 0, "value"],
    ["'a'", 0, "value"],
    ['["a\n"]', 1, "value or ]"],
    ["// no\n{}", 0, "value"],
    ["nullx", 0, "value"]
  ])("of %j is %i, where %s was wanted", (text, offset, wanted) => {
    expect(jsonFault(text)).toEqual({ offset, wanted })
  })

  test("is nowhere exactly when the text is JSON", () => {
    const json = fc.json()
    const cut = fc.tuple(
      json,
      fc.nat(),
      fc.nat({ max: 3 }),
      fc.constantFrom("", ",", "]", "}", '"', "1", "\\", "\n", ":")
    )
    const broken = cut.map(([text, at, length, other]) => {
      const start = at % (text.length + 1)
      return text.slice(0, start) + other + text.slice(start + length)
    })

    fc.assert(
      fc.property(fc.oneof(json, broken, fc.string({ unit: "binary" })), (text) => {
        expect(jsonFault(text) === undefined).toBe(isJson(text))
      }),
      { numRuns: 2_000 }
    )
  })

  test("is found in a text that is nested deeply", () => {
    expect(jsonFault("[".repeat(100_000))?.offset).toBe(100_000)
  })
})
