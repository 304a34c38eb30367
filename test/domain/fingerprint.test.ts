import { describe, expect, it } from "vitest"
import type { RequestClass } from "../../src/domain/classification.ts"
import { fingerprint } from "../../src/domain/fingerprint.ts"
import type { Header } from "../../src/domain/request.ts"

const turn: RequestClass = { endpoint: "ChatCompletions", kind: "foreground" }
const id = (value: string): ReadonlyArray<Header> => [["x-grok-req-id", value]]

describe("a fingerprint", () => {
  it("is 64 lower-case hex digits", () => {
    expect(fingerprint(turn, id("a"), "{}")).toMatch(/^[0-9a-f]{64}$/)
  })

  it.each([
    ["without the header", []],
    ["with an empty one", id("")],
    ["with a blank one", id(" \t ")],
    ["with one that is not visible ASCII", id("é")],
    ["with an empty first of two", [...id(""), ...id("a")]]
  ])("is absent %s", (_, headers) => {
    expect(fingerprint(turn, headers, "{}")).toBeNull()
  })

  it("does not know other headers, white space around the id, and the spelling of the body", () => {
    const plain = fingerprint(turn, id("a"), '{"x":1,"y":[]}')

    expect(
      fingerprint(turn, [["authorization", "b"], ...id("  a\t"), ["x-grok-turn-idx", "7"]], '{"y":[],"x":1.0}')
    ).toBe(plain)
    expect(fingerprint(turn, [...id("a"), ...id("b")], '{"x":1,"y":[]}')).toBe(plain)
  })

  it("tells endpoints, kinds, ids and bodies apart", () => {
    const prints = [
      fingerprint(turn, id("a"), "{}"),
      fingerprint({ ...turn, endpoint: "Responses" }, id("a"), "{}"),
      fingerprint({ ...turn, kind: "auxiliary" }, id("a"), "{}"),
      fingerprint(turn, id("A"), "{}"),
      fingerprint(turn, id("b"), "{}"),
      fingerprint(turn, id("a b"), "{}"),
      fingerprint(turn, id("a"), "[]"),
      fingerprint(turn, id("a"), "[9007199254740993]"),
      fingerprint(turn, id("a"), "[9007199254740992]"),
      // What looks like the next component inside one of them.
      fingerprint(turn, id('a",{}'), "{}"),
      fingerprint(turn, id("a"), '"a\\",{}"')
    ]

    expect(new Set(prints).size).toBe(prints.length)
  })
})
