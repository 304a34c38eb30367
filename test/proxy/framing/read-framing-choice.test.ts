import { describe, expect, it } from "vitest"
import { InvalidOption } from "../../../src/domain/errors.ts"
import { readFramingChoice } from "../../../src/proxy/framing/read-framing-choice.ts"

const limitBytes = 67_108_864
const prefixed = { type: "lengthPrefixed", prefixBytes: 4, endian: "big", includesPrefix: false, limitBytes }

const refusalOf = (source: unknown): string => {
  try {
    readFramingChoice(source)
  } catch (error) {
    if (error instanceof InvalidOption) return error.message
  }
  throw new Error("was not refused")
}

describe("a framing that is chosen", () => {
  it("has every option that it has", () => {
    expect(readFramingChoice()).toEqual(prefixed)
    expect(readFramingChoice(null)).toEqual(prefixed)
    expect(readFramingChoice("lengthPrefixed")).toEqual(prefixed)
    expect(readFramingChoice({ type: "lengthPrefixed", prefixBytes: 2, endian: "little", limitBytes: 0 })).toEqual({
      ...prefixed,
      prefixBytes: 2,
      endian: "little",
      limitBytes: 0
    })
    expect(readFramingChoice("ndjson")).toEqual({ type: "ndjson", limitBytes })
    expect(readFramingChoice("http")).toEqual({ type: "http", limitBytes })
    expect(readFramingChoice("webSocket")).toEqual({ type: "webSocket", counts: "frames", limitBytes })
    expect(readFramingChoice({ type: "opaque" })).toEqual({ type: "opaque" })
  })

  it("is refused with the place, and what was probably meant", () => {
    expect(refusalOf("nd-json")).toBe('the framing is "nd-json"; did you mean "ndjson"?')
    expect(refusalOf(7)).toMatch("the framing is 7; use one of lengthPrefixed,")
    expect(refusalOf({ type: "htp" })).toBe('`type` of the framing is "htp"; did you mean "http"?')
    expect(refusalOf({})).toMatch("`type` of the framing is ")
    expect(refusalOf({ type: "lengthPrefixed", prefixBytes: 3 })).toBe(
      "`prefixBytes` of the framing is 3; use one of 1, 2, 4, 8"
    )
    expect(refusalOf({ type: "ndjson", limitBytes: -1 })).toMatch(
      "`limitBytes` of the framing is -1; use a whole number"
    )
    expect(refusalOf({ type: "webSocket", counts: "message" })).toMatch("`counts` of the framing")
    expect(refusalOf({ type: "opaque", limitBytes: 1 })).toMatch("`limitBytes` of the framing is not known")
    expect(refusalOf({ type: "ndjson", endian: "big" })).toMatch("`endian` of the framing is not known")
  })
})
