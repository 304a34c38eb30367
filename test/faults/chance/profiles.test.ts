import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { InvalidOption } from "../../../src/domain/errors.ts"
import { builtInProfile, builtInProfiles } from "../../../src/faults/chance/built-in-profiles.ts"
import { canonicalProfile, profileDigest } from "../../../src/faults/chance/profile-digest.ts"
import { readProfile } from "../../../src/faults/chance/read-profile.ts"

const pressure = { name: "mine", version: 1, kind: "pressure", weights: [["success", 1]] }
const measured = { ...pressure, kind: "measured", source: "gateway log", window: "2026-10", requests: 10 }
const evidence = { behavior: "success", count: 1, low: 0.1, high: 0.9, isRare: true }
const burst = { enter: 0.1, leave: 0.5, weights: [["stall", 1]] }

describe("the built-in profiles", () => {
  it("are pressure, version 1, with these weights", () => {
    const summary = [...builtInProfiles.values()].map(
      ({ name, version, kind, weights }) =>
        `${kind} ${name} ${version}: ${weights.map(([behavior, weight]) => `${behavior}=${weight}`).join(",")}`
    )

    expect(summary).toEqual([
      "pressure stress 1: success=48,slow_success=10,max_tokens=2,connection_reset=5,stream_disconnect=5,partial_disconnect=10,empty=5,stall=2,rate_limit=5,server_error=4,service_unavailable=2,partial_eof=1,malformed_json=1",
      "pressure calm 1: success=100",
      "pressure network 1: success=25,slow_success=10,connection_reset=15,stream_disconnect=15,partial_disconnect=25,stall=10",
      "pressure overload 1: success=20,slow_success=25,rate_limit=30,service_unavailable=20,server_error=5",
      "pressure truncation 1: success=25,empty_body=25,stream_eof=25,partial_eof=25",
      "pressure protocol 1: success=25,malformed_json=25,malformed_event=25,wrong_content_type=25"
    ])
  })

  it("come to 100 each and are frozen through and through", () => {
    for (const { weights } of builtInProfiles.values()) {
      expect(weights.reduce((sum, [, weight]) => sum + weight, 0)).toBe(100)
    }
    const { weights } = builtInProfile("stress")
    expect([builtInProfile("stress"), weights, weights[0]].every(Object.isFrozen)).toBe(true)
  })

  it("are found by name, and an unknown name is told which there are", () => {
    expect(builtInProfile("calm").weights).toEqual([["success", 100]])
    expect(() => builtInProfile("rough")).toThrow(InvalidOption)
    expect(() => builtInProfile("rough")).toThrow(
      'there is no profile "rough"; built in are stress, calm, network, overload, truncation, protocol'
    )
  })
})

describe("the digest of a profile", () => {
  it("is SHA-256 over its JSON with the members in order", () => {
    const text = '{"kind":"pressure","name":"calm","version":1,"weights":[["success",100]]}'

    expect(canonicalProfile(builtInProfile("calm"))).toBe(text)
    expect(profileDigest(builtInProfile("calm"))).toBe(createHash("sha256").update(text).digest("hex"))
  })

  it("pins the weights of every built-in profile", () => {
    expect([...builtInProfiles].map(([name, profile]) => `${name} ${profileDigest(profile).slice(0, 16)}`)).toEqual([
      "stress 2b6d65841bd57916",
      "calm d04992d9e45375cf",
      "network fa359f023c59754c",
      "overload 3bee1df2373b33a7",
      "truncation 77ac603bcb793d29",
      "protocol 61c3c6bc5b313d4b"
    ])
  })

  it("is the same whatever the order of members, and another for another order of weights", () => {
    const [one, two] = [["success", 1] as const, ["empty", 1] as const]
    const digest = (document: object) => profileDigest(readProfile(document))
    const reversed = Object.fromEntries(Object.entries(pressure).toReversed())

    expect(digest(reversed)).toBe(digest(pressure))
    expect(digest({ ...pressure, weights: [one, two] })).not.toBe(digest({ ...pressure, weights: [two, one] }))
    expect(digest({ ...pressure, weights: [["stall", 0], one] })).toBe(digest(pressure))
  })
})

describe("a profile document", () => {
  it("is read whole and frozen, and the document stays as it was", () => {
    const document = {
      ...measured,
      weights: [
        ["success", 9],
        ["stall", 0]
      ],
      burst,
      timing: {
        chunkDelayMs: { kind: "exponential", meanMs: 12.5, capMs: 100 },
        headDelayMs: { kind: "uniform", leastMs: 10, mostMs: 20 }
      },
      evidence: [evidence]
    }
    const profile = readProfile(document)

    expect(profile).toEqual({ ...document, weights: [["success", 9]] })
    expect(Object.isFrozen(profile.burst?.weights)).toBe(true)
    expect(Object.isFrozen(document.burst.weights)).toBe(false)
  })

  it.each<readonly [path: string, document: unknown, words: ReadonlyArray<string>]>([
    ["profile", null, ["null", "object"]],
    ["profile", [], ["object"]],
    ["profile", { ...pressure, wieghts: [] }, ["unknown member", '"wieghts"; did you mean "weights"?']],
    ["profile.name", { ...pressure, name: " " }, ["not empty"]],
    ["profile.name", { ...pressure, name: undefined }, ["missing"]],
    ["profile.version", { ...pressure, version: "1" }, ['"1"', "integer between 1 and"]],
    ["profile.version", { ...pressure, version: 0 }, ["integer between 1 and"]],
    ["profile.kind", { ...pressure, kind: "guessed" }, ['"guessed"', '"pressure", "measured"']],
    ["profile.weights", { ...pressure, weights: { success: 1 } }, ["list"]],
    ["profile.weights[0]", { ...pressure, weights: ["success"] }, ["list"]],
    ["profile.weights[0]", { ...pressure, weights: [["success", 1, 2]] }, ["[behavior, weight]"]],
    ["profile.weights", { ...pressure, weights: [["success"]] }, ["success", "finite number"]],
    ["profile.weights", { ...pressure, weights: [["random", 1]] }, ["concrete", '"random"']],
    ["profile.weights", { ...pressure, weights: [] }, ["positive weight"]],
    ["profile.source", { ...pressure, source: "gateway log" }, ["measured"]],
    ["profile.evidence", { ...pressure, evidence: [] }, ["measured"]],
    ["profile.source", { ...measured, source: undefined }, ["missing"]],
    ["profile.window", { ...measured, window: undefined }, ["missing"]],
    ["profile.requests", { ...measured, requests: undefined }, ["missing"]],
    ["profile.requests", { ...measured, requests: 1.5 }, ["1.5", "integer between"]],
    ["profile.evidence", { ...measured, evidence: evidence }, ["list"]],
    ["profile.evidence[0]", { ...measured, evidence: [{ ...evidence, share: 1 }] }, ["unknown member", '"share"']],
    ["profile.evidence[0].behavior", { ...measured, evidence: [{ ...evidence, behavior: "x" }] }, ["concrete", '"x"']],
    ["profile.evidence[0].count", { ...measured, evidence: [{ ...evidence, count: 11 }] }, ["between 0 and 10"]],
    ["profile.evidence[0].high", { ...measured, evidence: [{ ...evidence, high: 0 }] }, ["between 0.1 and 1"]],
    ["profile.evidence[0].isRare", { ...measured, evidence: [{ ...evidence, isRare: 1 }] }, ["true or false"]],
    ["profile.burst", { ...pressure, burst: { ...burst, length: 3 } }, ["unknown member", '"length"']],
    ["profile.burst.enter", { ...pressure, burst: { ...burst, enter: 2 } }, ["between 0 and 1"]],
    ["profile.burst.leave", { ...pressure, burst: { ...burst, leave: Number.NaN } }, ["NaN", "between 0 and 1"]],
    ["profile.burst.weights", { ...pressure, burst: { ...burst, weights: [["stall", 0]] } }, ["positive weight"]],
    [
      "profile.timing",
      { ...pressure, timing: { delayMs: { kind: "fixed", ms: 1 } } },
      ["unknown member", "chunkDelayMs"]
    ],
    ["profile.timing.headDelayMs", { ...pressure, timing: { headDelayMs: 5 } }, ["object"]],
    [
      "profile.timing.headDelayMs.kind",
      { ...pressure, timing: { headDelayMs: { kind: "normal" } } },
      ['"exponential"']
    ],
    [
      "profile.timing.headDelayMs",
      { ...pressure, timing: { headDelayMs: { kind: "fixed", ms: 1, capMs: 2 } } },
      ["unknown member", '"capMs"']
    ],
    [
      "profile.timing.headDelayMs.mostMs",
      { ...pressure, timing: { headDelayMs: { kind: "uniform", leastMs: 5, mostMs: 4 } } },
      ["integer between 5 and 2147483647"]
    ],
    [
      "profile.timing.headDelayMs.capMs",
      { ...pressure, timing: { headDelayMs: { kind: "exponential", meanMs: 5 } } },
      ["missing", "integer between 0 and 2147483647"]
    ]
  ])("is refused for %s: %o", (path, document, words) => {
    expect(() => readProfile(document)).toThrow(InvalidOption)
    expect(() => readProfile(document)).toThrow(path)
    for (const word of words) expect(() => readProfile(document)).toThrow(word)
  })
})
