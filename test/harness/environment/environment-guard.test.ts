import { describe, expect, test } from "vitest"
import { guardVariable } from "../../../src/harness/environment/environment-guard.ts"
import { makeEnvironmentReader } from "../../../src/harness/environment/environment-reader.ts"

describe("a guard of a variable", () => {
  test("takes a variable away and gives it back", () => {
    const variables: Record<string, string | undefined> = { X: "a" }
    const guard = guardVariable(variables, "X", undefined)
    const during = { ...variables }
    guard[Symbol.dispose]()

    expect([during, variables]).toEqual([{}, { X: "a" }])
  })

  test("is disposed in reverse order, or throws and changes nothing", () => {
    const variables: Record<string, string | undefined> = { X: "a" }
    const outer = guardVariable(variables, "X", "b")
    const inner = guardVariable(variables, "X", "c")

    expect(() => outer[Symbol.dispose]()).toThrow("a newer guard of X is still open; dispose guards in reverse order")
    expect(variables["X"]).toBe("c")
    inner[Symbol.dispose]()
    expect(variables["X"]).toBe("b")
    outer[Symbol.dispose]()
    expect(variables["X"]).toBe("a")
  })

  test("disposed twice does nothing the second time", () => {
    const variables: Record<string, string | undefined> = {}
    const guard = guardVariable(variables, "X", "b")
    guard[Symbol.dispose]()
    variables["X"] = "of somebody else"
    guard[Symbol.dispose]()

    expect(variables["X"]).toBe("of somebody else")
  })

  test("knows nothing of other variables, and of other processes", () => {
    const variables: Record<string, string | undefined> = {}
    const others: Record<string, string | undefined> = {}
    const first = guardVariable(variables, "X", "1")
    guardVariable(variables, "Y", "2")
    guardVariable(others, "X", "3")

    expect(() => first[Symbol.dispose]()).not.toThrow()
  })
})

test("a setting that cannot be read is ignored with one warning, and one that is unset without", () => {
  const warnings: Array<string> = []
  const variables: Record<string, string> = { BAD: "x", GOOD: "5", THROWS: "{" }
  const { envParse } = makeEnvironmentReader({ variables, warn: (message) => warnings.push(message) })
  const digits = (text: string) => (/^\d+$/.test(text) ? Number(text) : undefined)

  expect([envParse("GOOD", 1, digits), envParse("BAD", 1, digits), envParse("BAD", 2, digits)]).toEqual([5, 1, 2])
  expect(envParse("UNSET", 7, digits)).toBe(7)
  expect(envParse<unknown>("THROWS", null, JSON.parse)).toBe(null)
  expect(warnings).toEqual([
    "the variable BAD could not be read and is ignored",
    "the variable THROWS could not be read and is ignored"
  ])
})
