import { describe, expect, it } from "vitest"
import { endOfString, isRecord, jsonDepthMax, member, parseJson } from "../../src/domain/json.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const nested = (levels: number, open = "[", inside = "", close = "]") =>
  `${open.repeat(levels)}${inside}${close.repeat(levels)}`

describe("parseJson", () => {
  it.each(["{}", "[1,2]", '"x"', "0", "null", "true", ' \n\t\r{"a":"日本😀"} '])(
    "reads %j, and keeps its text",
    (text) => {
      expect(parseJson(bytes(text))).toEqual({ ok: true, body: { text, value: JSON.parse(text) } })
    }
  )

  it("reads 128 levels, and refuses 129 of arrays, objects or both", () => {
    expect(jsonDepthMax).toBe(128)
    expect(parseJson(bytes(nested(128))).ok).toBe(true)
    expect(parseJson(bytes(nested(128, '{"a":', "1", "}"))).ok).toBe(true)

    const refused = { ok: false, reason: "nested deeper than 128 levels" }
    expect(parseJson(bytes(nested(129)))).toEqual(refused)
    expect(parseJson(bytes(nested(129, '{"a":', "1", "}")))).toEqual(refused)
    expect(parseJson(bytes(nested(65, '[{"a":', "1", "}]")))).toEqual(refused)
    expect(parseJson(bytes("[".repeat(2_000_000)))).toEqual(refused)
  })

  it("counts levels, not brackets: those in strings and those that close again are none", () => {
    expect(parseJson(bytes(JSON.stringify("[".repeat(200)))).ok).toBe(true)
    expect(parseJson(bytes(JSON.stringify('\\"[{\\'.repeat(200)))).ok).toBe(true)
    expect(parseJson(bytes(`[${"[],".repeat(200)}[]]`)).ok).toBe(true)
  })

  it.each([
    ["a byte that is none", [0x22, 0xff, 0x22]],
    ["a character that is cut", [0x22, 0xe6, 0x97, 0x22]],
    ["an overlong character", [0x22, 0xc0, 0xaf, 0x22]],
    ["half a surrogate pair", [0x22, 0xed, 0xa0, 0x80, 0x22]]
  ])("refuses invalid UTF-8: %s", (_, list) => {
    expect(parseJson(Uint8Array.from(list))).toEqual({ ok: false, reason: "the body is not valid UTF-8" })
  })

  it.each([
    ["nothing", ""],
    ["white space alone", "  \n"],
    ["a cut value", '{"a":'],
    ["a cut string", '"abc'],
    ["a string that ends in a backslash", '"abc\\'],
    ["garbage behind a value", "{} x"],
    ["two values", "{}{}"],
    ["a byte-order mark", "\ufeff{}"],
    ["other white space", "\u00a0{}"],
    ["single quotes", "{'a':1}"],
    ["a comment", "{} // x"],
    ["a trailing comma", "[1,]"],
    ["numbers of JavaScript", "NaN"],
    ["a leading zero", "01"],
    ["brackets that do not match", "[}"]
  ])("refuses %s, with a reason", (_, text) => {
    const parsed = parseJson(bytes(text))

    expect(parsed).toEqual({ ok: false, reason: expect.stringMatching(/./) })
  })
})

describe("the reading of values", () => {
  it("finds own members of objects alone", () => {
    expect(member({ a: 1 }, "a")).toBe(1)
    expect(member({ a: undefined }, "a")).toBeUndefined()
    for (const value of [null, undefined, "text", 7, ["a"], {}]) expect(member(value, "length")).toBeUndefined()
    expect(member({}, "toString")).toBeUndefined()
    expect(member(JSON.parse('{"__proto__":1}'), "__proto__")).toBe(1)
  })

  it("takes neither null nor arrays for objects", () => {
    expect([{}, Object.create(null)].map(isRecord)).toEqual([true, true])
    expect([null, undefined, [], "x", 1].some(isRecord)).toBe(false)
  })

  it("finds the end of a string behind escaped quotes", () => {
    expect(endOfString('"a"', 0)).toBe(2)
    expect(endOfString('x"a\\"b"y', 1)).toBe(6)
    expect(endOfString('"a\\\\"b"', 0)).toBe(4)
    expect(endOfString('"open', 0)).toBe(5)
  })
})
