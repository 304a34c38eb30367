import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { drawCheckOf } from "../src/explore/draw-check.ts"
import { decodeToken, encodeToken, InvalidToken, testMark } from "../src/explore/replay-token.ts"
import { trimmed } from "../src/kernel/choice-forks.ts"
import { derive } from "../src/kernel/derive-seed.ts"
import { choices } from "./arbitraries/choices.ts"
import { checkProperty } from "./check.ts"

const seed = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const hash = fc.option(fc.stringMatching(/^[0-9a-f]{16}$/))
const test = fc.option(fc.string().map(testMark))
const draws = fc.array(fc.record({ label: fc.string(), n: fc.nat(), answer: fc.nat(3) }), { maxLength: 100 })
const check = fc.option(draws.map(drawCheckOf))
const names = fc.uniqueArray(fc.string({ unit: "binary", maxLength: 8 }), { minLength: 1, maxLength: 4 })
const lists = names.chain((forks) => choices({ forks, answerMax: 2 ** 31 }))

describe("A replay token", () => {
  // Seen to fail when rows of calm choices are miscounted.
  it("is read back as it was written, and stays one word of plain characters", () => {
    checkProperty(
      "tokens are read back",
      fc.property(fc.record({ seed, hash, test, check, lists: fc.option(lists) }), (token) => {
        const text = encodeToken(token)

        expect(text).toMatch(/^[\w.=,%/-]+$/)
        expect(decodeToken(text)).toEqual({ ...token, lists: token.lists === null ? null : trimmed(token.lists) })
      })
    )
  })

  it("is refused with a typed error, or means something, whatever its text", () => {
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom("z9", "z9999999", "a=1", "a=z3,", "=", "a=1=2", "%00", "-", "0", "seeded")
    )
    const body = fc.array(part, { maxLength: 5 }).map((parts) => parts.join("."))
    // A check that fits lets the text come to the parts that read it.
    const checked = body.map((text) => `us1.${text}.${derive(1, text).toString(36)}`)
    checkProperty(
      "garbage is refused",
      fc.property(fc.oneof(checked, body, fc.string()), (text) => {
        try {
          const token = decodeToken(text)
          expect(decodeToken(encodeToken(token))).toEqual({
            ...token,
            lists: token.lists === null ? null : trimmed(token.lists)
          })
        } catch (error) {
          if (!(error instanceof InvalidToken)) throw error
        }
      }),
      { runs: 500 }
    )
  })
})
