import { describe, expect, it } from "vitest"
import { InvalidOption } from "../../../src/domain/errors.ts"
import {
  checkWeights,
  defaultRandomWeights,
  parseWeights,
  readWeights,
  splitWeights
} from "../../../src/faults/chance/weights.ts"

const thrownBy = (act: () => unknown): unknown => {
  try {
    act()
  } catch (error) {
    return error
  }
  return "nothing was thrown"
}

const expectRefusal = (act: () => unknown, words: ReadonlyArray<string>): void => {
  const error = thrownBy(act)
  expect(error).toBeInstanceOf(InvalidOption)
  for (const word of words) expect(error).toHaveProperty("message", expect.stringContaining(word))
}

describe("the default weights", () => {
  it("are frozen, in the specified order, and come to 100", () => {
    const weights = readWeights(defaultRandomWeights)

    expect(Object.isFrozen(defaultRandomWeights)).toBe(true)
    expect(weights.map(([name, weight]) => `${name} ${weight}`)).toEqual([
      "success 48",
      "slow_success 10",
      "max_tokens 2",
      "connection_reset 5",
      "stream_disconnect 5",
      "partial_disconnect 10",
      "empty 5",
      "stall 2",
      "rate_limit 5",
      "server_error 4",
      "service_unavailable 2",
      "partial_eof 1",
      "malformed_json 1"
    ])
    expect(weights.reduce((sum, [, weight]) => sum + weight, 0)).toBe(100)
  })
})

describe("weights as a text", () => {
  it("keep their order, take fractions and exponents, and lose what is zero", () => {
    expect(parseWeights("empty=1.5,stall=0,success=2e1,vanish=-0")).toEqual([
      ["empty", 1.5],
      ["success", 20]
    ])
  })

  it.each(["success", "success=", "=1", "success=1=2", "", "success=1,", ",success=1", "success=1,,empty=1"])(
    "are refused as %j for their form",
    (text) => {
      expectRefusal(() => parseWeights(text), ["--random-weights", "behavior=weight"])
    }
  )

  it.each(["nope", "Infinity", "NaN", "0x10", " 1", "1 ", "1e999", "1_000", "+1"])(
    "are refused with the number %j",
    (number) => {
      expectRefusal(() => parseWeights(`success=${number}`), ["--random-weights", "finite number"])
    }
  )

  it.each(["random", "connection_refused", "script_exhausted", "unknown", " success", "success ", "__proto__"])(
    "are refused with the name %j",
    (name) => {
      expectRefusal(() => parseWeights(`${name}=1`), ["concrete", `"${name}"`])
    }
  )

  it("are told the name that was meant", () => {
    expectRefusal(() => parseWeights("sucess=1"), ['"sucess" is no concrete behavior; did you mean "success"?'])
  })

  it("are refused with a name twice, also when one weight is zero", () => {
    expectRefusal(() => parseWeights("success=1,success=2"), ["duplicate", "success"])
    expectRefusal(() => parseWeights("success=1,success=0"), ["duplicate", "success"])
  })

  it("are refused when one is negative, when all are zero, and when no sum can be made", () => {
    expectRefusal(() => parseWeights("success=-1"), ["non-negative", "success"])
    expectRefusal(() => parseWeights("success=0"), ["positive weight"])
    expectRefusal(() => parseWeights("success=1e308,empty=1e308"), ["sum", "finite number"])
  })

  it("can be read for their form alone, before anything else is known", () => {
    expect(splitWeights("random=1,random=-2")).toEqual([
      ["random", 1],
      ["random", -2]
    ])
    expectRefusal(() => checkWeights(splitWeights("random=1"), "--random-weights"), ["--random-weights", '"random"'])
  })
})

describe("weights as an object", () => {
  it("keep the order in which the members were added", () => {
    expect(readWeights({ stall: 1, success: 2 })).toEqual([
      ["stall", 1],
      ["success", 2]
    ])
  })

  it("may name any fault of the catalogue", () => {
    expect(readWeights({ cut_at_byte: 1, no_response: 1 })).toHaveLength(2)
  })

  it.each<readonly [unknown, ReadonlyArray<string>]>([
    [{ random: 1 }, ["randomWeights", "concrete", '"random"']],
    [{ success: -1 }, ["randomWeights", "non-negative", "success"]],
    [{ success: 0 }, ["randomWeights", "positive weight"]],
    [{}, ["randomWeights", "positive weight"]],
    [{ success: Number.NaN }, ["randomWeights", "finite number", "NaN"]],
    [{ success: Number.NEGATIVE_INFINITY }, ["randomWeights", "finite number"]],
    [{ success: "8" }, ["randomWeights", "finite number", '"8"']],
    [{ success: undefined }, ["randomWeights", "finite number"]],
    [null, ["randomWeights", "object"]],
    [[["success", 1]], ["randomWeights", "object"]],
    ["success=1", ["randomWeights", "object"]]
  ])("are refused as %o", (value, words) => {
    expectRefusal(() => readWeights(value), words)
  })
})
