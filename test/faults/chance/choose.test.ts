import { describe, expect, it } from "vitest"
import { type Chooser, choiceChooser, chooseFault, seededChooser } from "../../../src/faults/chance/choose.ts"
import { laneSeed } from "../../../src/faults/chance/lane-seed.ts"
import {
  defaultRandomWeights,
  type FaultWeights,
  parseWeights,
  readWeights
} from "../../../src/faults/chance/weights.ts"
import { calmChoice, type Draw, listedChoice, recordedChoice } from "../../../src/kernel/choice-sources.ts"

const stress = readWeights(defaultRandomWeights)

const choices = (chooser: Chooser, weights: FaultWeights, count: number): string =>
  Array.from({ length: count }, () => chooser.choose(weights)).join(", ")

/** The rows of 5.5 and 9.1.5; without weights the default. */
const rows: ReadonlyArray<readonly [name: string, seed: number, weights: string | null, expected: string]> = [
  [
    "seed 42, default weights",
    42,
    null,
    "connection_reset, success, stall, stream_disconnect, success, slow_success, success, connection_reset, stall, success, success, rate_limit, partial_disconnect, success, success, slow_success, stream_disconnect, connection_reset, success, success"
  ],
  [
    "seed 0, default weights",
    0,
    null,
    "success, success, success, success, success, slow_success, connection_reset, connection_reset, success, max_tokens, success, success, rate_limit, success, partial_disconnect, stream_disconnect, empty, connection_reset, slow_success, success"
  ],
  [
    "seed 1, default weights",
    1,
    null,
    "connection_reset, success, slow_success, partial_eof, service_unavailable, success, connection_reset, partial_disconnect, success, malformed_json, success, slow_success, success, success, success, success, slow_success, success, success, partial_disconnect"
  ],
  [
    "the largest seed, default weights",
    4294967295,
    null,
    "rate_limit, success, partial_disconnect, server_error, empty, slow_success, stream_disconnect, success, success, partial_eof, rate_limit, success, success, partial_disconnect, success, partial_disconnect, rate_limit, success, success, success"
  ],
  [
    "seed 42, seven weights",
    42,
    "success=60,slow_success=10,connection_reset=5,stream_disconnect=5,partial_disconnect=10,empty=5,server_error=5",
    "slow_success, success, partial_disconnect, slow_success, success, success, success, slow_success, partial_disconnect, success, success, partial_disconnect"
  ],
  [
    "seed 42, success before empty",
    42,
    "success=1,empty=1",
    "empty, success, empty, empty, success, empty, success, empty, empty, success, success, empty"
  ],
  [
    "seed 42, empty before success",
    42,
    "empty=1,success=1",
    "success, empty, success, success, empty, success, empty, success, success, empty, empty, success"
  ],
  [
    "seed 42, lane alpha",
    laneSeed(42, "alpha"),
    null,
    "success, partial_disconnect, success, empty, success, success, success, success, success, slow_success"
  ],
  [
    "seed 42, lane beta",
    laneSeed(42, "beta"),
    null,
    "success, rate_limit, success, success, success, success, rate_limit, service_unavailable, success, success"
  ]
]

describe("seeded choices", () => {
  it.each(rows)("are the specified ones for %s", (_, seed, weights, expected) => {
    const read = weights === null ? stress : parseWeights(weights)

    expect(choices(seededChooser(seed), read, expected.split(", ").length)).toBe(expected)
  })

  it("skip the concrete entries of a mixed script", () => {
    const chooser = seededChooser(42)
    const script = ["success", "random", "empty", "random", "random"]
    const chosen = script.map((entry) => (entry === "random" ? chooser.choose(stress) : entry))

    expect(chosen).toEqual(["success", "connection_reset", "empty", "success", "stall"])
  })

  it("have the specified frequencies over 100000 draws", () => {
    const chooser = seededChooser(42)
    const counts: Record<string, number> = {}
    for (let draw = 0; draw < 100_000; draw++) {
      const name = chooser.choose(stress)
      counts[name] = (counts[name] ?? 0) + 1
    }

    expect(counts).toEqual({
      success: 47826,
      slow_success: 9995,
      partial_disconnect: 9850,
      connection_reset: 5107,
      empty: 5107,
      stream_disconnect: 5091,
      rate_limit: 5008,
      server_error: 3959,
      max_tokens: 2041,
      stall: 2022,
      service_unavailable: 1978,
      malformed_json: 1018,
      partial_eof: 998
    })
  })

  it("never are one of weight zero, also at the ends", () => {
    const weights: FaultWeights = [
      ["stall", 0],
      ["success", 1],
      ["empty", 0]
    ]

    expect([0, 0.5, 1 - 2 ** -32].map((unit) => chooseFault(weights, unit))).toEqual(["success", "success", "success"])
  })

  it("are the last entry when rounding leaves none", () => {
    const weights: FaultWeights = [
      ["success", 0.1],
      ["empty", 0.2]
    ]

    // No draw is 1; it stands for a rest that rounding has left too large.
    expect(chooseFault(weights, 1)).toBe("empty")
  })

  it("take the next entry when the rest is just the weight", () => {
    const weights: FaultWeights = [
      ["success", 1],
      ["empty", 1]
    ]

    expect([chooseFault(weights, 0.5), chooseFault(weights, 0.5 - 2 ** -32)]).toEqual(["empty", "success"])
  })
})

describe("choices of another source", () => {
  const weights = parseWeights("stall=1,empty=0,success=3,rate_limit=96")

  it("are one labelled draw each among the positive weights", () => {
    const draws: Array<Draw> = []
    const chooser = choiceChooser(recordedChoice(listedChoice([0, 1, 2]), draws), "alpha")

    expect(choices(chooser, weights, 3)).toBe("success, stall, rate_limit")
    expect(draws).toEqual([
      { label: "fault/alpha", n: 3, answer: 0 },
      { label: "fault/alpha", n: 3, answer: 1 },
      { label: "fault/alpha", n: 3, answer: 2 }
    ])
  })

  it("are calm with a calm source, and the first where nothing succeeds", () => {
    expect(choices(choiceChooser(calmChoice, "default"), weights, 2)).toBe("success, success")
    expect(choices(choiceChooser(calmChoice, "default"), parseWeights("stall=1,empty=5"), 1)).toBe("stall")
  })

  it("fail loudly when the source answers what was not asked", () => {
    const chooser = choiceChooser({ draw: (n) => n }, "default")

    expect(() => chooser.choose(weights)).toThrow("there is no weight at 3 of 3")
  })
})
