import { describe, expect, it } from "vitest"
import { InvalidOption } from "../../../src/domain/errors.ts"
import { fitProfile } from "../../../src/faults/chance/fit-profile.ts"
import { readProfile } from "../../../src/faults/chance/read-profile.ts"

const origin = { name: "october", source: "gateway log", window: "2026-10-01 to 2026-10-31" }
const result = (behavior: string): string =>
  JSON.stringify({
    type: "result",
    attempt: 1,
    scriptBehavior: "random",
    behavior,
    outcome: "completed",
    chunksSent: 0
  })
const many = (count: number, behavior: string): ReadonlyArray<string> =>
  Array.from({ length: count }, () => result(behavior))

describe("fitting a profile", () => {
  it("counts the results, orders them as the catalogue does, and says how sure the shares are", () => {
    const profile = fitProfile([...many(19, "success"), ...many(1, "rate_limit")], origin)

    expect(profile).toEqual({
      ...origin,
      version: 1,
      kind: "measured",
      requests: 20,
      weights: [
        ["rate_limit", 1],
        ["success", 19]
      ],
      evidence: [
        { behavior: "rate_limit", count: 1, low: 0.008881, high: 0.236131, isRare: true },
        { behavior: "success", count: 19, low: 0.763869, high: 0.991119, isRare: false }
      ]
    })
  })

  it("flags four events and not five", () => {
    const { evidence } = { evidence: undefined, ...fitProfile([...many(4, "empty"), ...many(5, "stall")], origin) }

    expect(evidence?.map(({ behavior, isRare }) => [behavior, isRare])).toEqual([
      ["empty", true],
      ["stall", false]
    ])
  })

  it("passes over other records, empty lines and exhausted scripts", () => {
    const lines = [
      '{"type":"ready","baseURL":"http://127.0.0.1:1/v1","randomSeed":42}',
      '{"type":"request","attempt":1,"scriptBehavior":"success","behavior":"success","path":"/"}',
      result("success"),
      result("script_exhausted"),
      ""
    ]

    expect(fitProfile(lines, origin)).toMatchObject({ requests: 1, weights: [["success", 1]] })
  })

  it("gives the same profile for the same records in another order, and one that can be read again", () => {
    const lines = [...many(3, "stall"), ...many(2, "success"), ...many(2, "vanish")]
    const profile = fitProfile(lines, { ...origin, version: 2 })

    expect(fitProfile(lines.toReversed(), { ...origin, version: 2 })).toEqual(profile)
    expect(readProfile(JSON.parse(JSON.stringify(profile)))).toEqual(profile)
  })

  it.each<readonly [ReadonlyArray<string>, string]>([
    [[], "no result record"],
    [["{}"], "no result record"],
    [[result("success"), "{"], "line 2 is no JSON object"],
    [["[1]"], "line 1 is no JSON object"],
    [["", result("flood")], 'line 2: the behavior is "flood"'],
    [['{"type":"result"}'], "line 1: the behavior is missing"]
  ])("refuses %j", (lines, words) => {
    expect(() => fitProfile(lines, origin)).toThrow(InvalidOption)
    expect(() => fitProfile(lines, origin)).toThrow(words)
  })

  it("refuses an empty source", () => {
    expect(() => fitProfile([result("success")], { ...origin, source: "" })).toThrow("profile.source")
  })
})
