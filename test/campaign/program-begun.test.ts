import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import type { SimProgram } from "../../src/campaign/campaign.ts"
import { explore } from "../../src/sim.ts"

/** What JavaScript lets through. */
const asProgram = (given: () => unknown) => given as SimProgram

describe("A program whose body nothing runs", () => {
  // Seen to fail with 300 runs that passed.
  it.each<[string, () => unknown, string]>([
    ["an async generator", async function* () {}, "is a generator, whose body nothing runs"],
    ["a generator", function* () {}, "is a generator, whose body nothing runs"],
    ["a function that gives an Effect", () => Effect.succeed(1), "gave an Effect, which nothing runs"]
  ])("is refused: %s", async (_, given, text) => {
    await expect(explore({ runs: 3 }, asProgram(given))).rejects.toThrow(text)
  })
})

describe("What a program throws", () => {
  it.each<[unknown, string]>([
    [new TypeError(""), "TypeError, which says nothing"],
    ["", 'thrown: ""']
  ])("is told also where it says nothing: %j", async (thrown, text) => {
    await expect(
      explore({ runs: 1 }, () => {
        throw thrown
      })
    ).rejects.toThrow(`${text}\n`)
  })
})
