import { describe, expect, test } from "vitest"
import { oneOf, someText, wholeNumber } from "../../src/cli/option-readers.ts"
import { type OptionTable, readOptions } from "../../src/cli/option-table.ts"

const table = {
  count: { kind: "value", placeholder: "N", help: "", read: wholeNumber({ least: 1, most: 9 }) },
  color: { kind: "value", placeholder: "NAME", help: "", read: oneOf(["red", "green"]) },
  file: { kind: "value", placeholder: "FILE", help: "", read: someText("a path") },
  loud: { kind: "flag", help: "" }
} as const satisfies OptionTable

const read = (...argv: ReadonlyArray<string>) => {
  const result = readOptions(table, argv)
  if (!result.ok) return result.problems
  const { given } = result
  return {
    count: given.value(table.count),
    color: given.value(table.color),
    file: given.value(table.file),
    loud: given.has(table.loud)
  }
}

const nothing = { count: undefined, color: undefined, file: undefined, loud: false }

describe("an option table", () => {
  test("reads both spellings of a value, typed", () => {
    expect(read("--count", "3", "--color=red", "--loud")).toEqual({ ...nothing, count: 3, color: "red", loud: true })
  })

  test("takes the last of repeated options", () => {
    expect(read("--count=3", "--count=4")).toEqual({ ...nothing, count: 4 })
  })

  test("takes a value that begins with - only in the = form", () => {
    expect(read("--file=-x")).toEqual({ ...nothing, file: "-x" })
    expect(read("--file", "-")).toEqual({ ...nothing, file: "-" })
    expect(read("--file", "--loud")).toEqual(["--file needs a value: FILE; one that begins with - is written with ="])
  })

  test("refuses what stands after --", () => {
    expect(read("--", "--loud")).toEqual(['unexpected argument "--loud"; only options are allowed here'])
  })

  test("does not blame the value of an unknown option, but an option behind it counts", () => {
    expect(read("--cuont", "3")).toEqual(['unknown option "--cuont"; did you mean "--count"?'])
    expect(read("--what", "--count=0")).toEqual([
      'unknown option "--what"; known are --count, --color, --file, --loud',
      '--count is "0"; give a whole number from 1 to 9'
    ])
  })

  test("knows no option from the prototype of objects", () => {
    expect(read("--toString")).toEqual([expect.stringContaining('unknown option "--toString"')])
  })

  test("gives the last operand all words that are left, where it is repeated", () => {
    const operands = [
      { placeholder: "FIRST", help: "one" },
      { placeholder: "REST", help: "the others", isRepeated: true }
    ]
    const words = (...argv: ReadonlyArray<string>) => {
      const result = readOptions(table, argv, operands)
      return result.ok ? result.given.operands : result.problems
    }

    expect(words("a", "b", "--loud", "c", "d")).toEqual(["a", "b", "c", "d"])
    expect(words("a")).toEqual(["REST is missing: the others"])
  })
})
