import { describe, expect, it } from "vitest"
import {
  chatEcho,
  chatExact,
  codePoints,
  graphemes,
  responsesExact,
  single,
  trailingEcho,
  utf16
} from "../../src/wire/splitters.ts"

describe("exact splitters", () => {
  it.each([
    ["", [""], []],
    [" ", ["", " "], [" "]],
    ["a", ["a"], ["a"]],
    ["a ", ["a", " "], ["a "]],
    [" a", ["", " a"], [" ", "a"]],
    ["a  b\tc\n", ["a", " ", " b\tc\n"], ["a ", " ", "b\tc\n"]],
    ["x\r\ny z", ["x\r\ny", " z"], ["x\r\ny ", "z"]]
  ])("cut %j before each space for chat and after each space for Responses", (text, forChat, forResponses) => {
    expect(chatExact(text)).toEqual(forChat)
    expect(responsesExact(text)).toEqual(forResponses)
  })

  it("cut at U+0020 only", () => {
    expect(chatExact("a\u00a0b\tc")).toEqual(["a\u00a0b\tc"])
    expect(responsesExact("a\u00a0b\tc")).toEqual(["a\u00a0b\tc"])
  })
})

describe("echo splitters", () => {
  it.each([
    ["Echo: a  b\nc", ["Echo:", " a", " b", " c"], ["Echo: ", "a ", "b ", "c "]],
    ["  \n", [], []],
    ["a\u00a0b", ["a", " b"], ["a ", "b "]],
    ["a\ufeffb", ["a\ufeffb"], ["a\ufeffb "]],
    ["a\u0085b", ["a", " b"], ["a ", "b "]]
  ])("collapse the white space of %j", (text, forChat, forResponses) => {
    expect(chatEcho(text)).toEqual(forChat)
    expect(trailingEcho(text)).toEqual(forResponses)
  })
})

describe("single", () => {
  it("gives one piece, also for the empty text", () => {
    expect(single("a b")).toEqual(["a b"])
    expect(single("")).toEqual([""])
  })
})

describe("sized splitters", () => {
  const family = "👩‍👩‍👧‍👦"

  it("codePoints keeps surrogate pairs whole", () => {
    expect(codePoints(1)("a😀b")).toEqual(["a", "😀", "b"])
    expect(codePoints(8)("mock response recovered")).toEqual(["mock res", "ponse re", "covered"])
    expect(codePoints(8)("")).toEqual([])
  })

  it("graphemes keeps user-perceived characters whole", () => {
    expect(graphemes(1)(`e\u0301${family}🇩🇪`)).toEqual(["e\u0301", family, "🇩🇪"])
    expect(graphemes(2)("abc")).toEqual(["ab", "c"])
  })

  it("utf16 may cut a surrogate pair, and joins to the same text", () => {
    expect(utf16(1)("😀")).toEqual(["\ud83d", "\ude00"])
    expect(utf16(3)("a😀b").join("")).toBe("a😀b")
  })

  it.each([0, -1, 1.5, Number.NaN])("refuse %d as the size of a piece", (count) => {
    expect(() => codePoints(count)).toThrow(`codePoints(${count}): the size of a piece must be a whole number`)
    expect(() => graphemes(count)).toThrow(RangeError)
    expect(() => utf16(count)).toThrow(RangeError)
  })
})
