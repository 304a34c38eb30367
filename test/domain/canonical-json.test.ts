import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { canonicalJson } from "../../src/domain/canonical-json.ts"
import { seed } from "../support/seed.ts"

describe("canonical JSON", () => {
  it.each([
    ["white space", ' {\t"a" :\r\n [ 1 , 2 ] } ', '{"a":[1,2]}'],
    [
      "order of keys, at every depth",
      '{"b":{"d":1,"c":[{"f":1,"e":2}]},"a":0}',
      '{"a":0,"b":{"c":[{"e":2,"f":1}],"d":1}}'
    ],
    ["escapes of strings", '"\\u00e9\\/\\u0041\\n\\ud83d\\ude00"', '"é/A\\n😀"'],
    ["escapes of keys", '{"\\u0061":1}', '{"a":1}'],
    ["earlier keys of the same name", '{"a":1,"b":2,"a":3}', '{"a":3,"b":2}'],
    ["earlier keys of the same name, escaped", '{"a":1,"\\u0061":{"x":1}}', '{"a":{"x":1}}'],
    ["zeros of a fraction", "[1.0,1.50,0.10]", "[1,1.5,0.1]"],
    ["exponents", "[1e2,1E+2,100,10.0e1,0.1e3]", "[100,100,100,100,100]"],
    ["signs of zero", "[0,-0,0.0,-0e9,0e-9]", "[0,0,0,0,0]"],
    ["leading zeros of exponents", "[1e007,1e-003]", "[1e7,0.001]"]
  ])("does not know %s", (_, text, other) => {
    expect(canonicalJson(text)).toBe(canonicalJson(other))
  })

  it.each([
    ["integers beyond 2^53", "9007199254740993", "9007199254740992"],
    ["very long integers", `1${"0".repeat(400)}1`, `1${"0".repeat(400)}2`],
    ["fractions beyond the precision of doubles", "0.30000000000000004", "0.3000000000000000444"],
    ["numbers beyond the range of doubles", "1e400", "1e401"],
    ["numbers below the range of doubles", "1e-400", "0"],
    ["signs", "1", "-1"],
    ["orders of arrays", "[1,2]", "[2,1]"],
    ["nesting", "[[1],2]", "[[1,2]]"],
    ["types", "1", '"1"'],
    ["null and absence", '{"a":null}', "{}"],
    ["null and false", "null", "false"],
    ["empty containers", "[]", "{}"],
    ["white space inside strings", '"a b"', '"a  b"'],
    ["case", '{"A":1}', '{"a":1}'],
    ["compositions of a letter", '"é"', '"e\u0301"'],
    ["halves of a character", '"\\ud83d"', '"\\ufffd"']
  ])("tells %s apart", (_, text, other) => {
    expect(canonicalJson(text)).not.toBe(canonicalJson(other))
  })

  it("keeps keys that objects have by themselves", () => {
    expect(canonicalJson('{"__proto__":1,"constructor":2,"toString":3}')).toBe(
      canonicalJson('{"toString":3,"constructor":2,"__proto__":1}')
    )
    expect(canonicalJson('{"__proto__":1}')).not.toBe(canonicalJson("{}"))
  })

  it("reads absurd exponents without working them out", () => {
    const absurd = `1e${"9".repeat(5_000)}`

    expect(canonicalJson(`[${absurd}]`)).toBe(`[${absurd}]`)
    expect(canonicalJson("1e999999999")).toBe("1e999999999")
  })

  it("takes long strings of backslashes and quotes in their stride", () => {
    const text = `"${"\\\\".repeat(50_000)}${'\\"'.repeat(50_000)}"`

    expect(JSON.parse(canonicalJson(text))).toBe(JSON.parse(text))
  })

  it("gives one text for one value, however it is written, and is its own canonical form", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(4), (value, indent) => {
        const canonical = canonicalJson(JSON.stringify(value))

        expect(canonicalJson(JSON.stringify(value, null, indent))).toBe(canonical)
        expect(canonicalJson(canonical)).toBe(canonical)
        expect(canonicalJson(JSON.stringify(reversed(value)))).toBe(canonical)
      }),
      { seed }
    )
  })

  it("is JSON of the same value, doubles being what they are", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const withoutMinusZero: unknown = JSON.parse(JSON.stringify(value))

        expect(JSON.parse(canonicalJson(JSON.stringify(value)))).toEqual(withoutMinusZero)
      }),
      { seed }
    )
  })
})

/** The same value with the keys of its objects in the other order. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)])
  )
}
