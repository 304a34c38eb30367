import { describe, expect, it } from "vitest"
import { mulberry32 } from "../../src/kernel/mulberry32.ts"

const vectors: ReadonlyArray<readonly [seed: number, outputs: ReadonlyArray<number>]> = [
  [0, [1144304738, 1416247, 958946056, 627933444, 2007157716, 2340967985, 2642484575, 2787370982]],
  [1, [2693262067, 11749833, 2265367787, 4213581821, 4159151403, 1207330352, 2632122864, 3095568220]],
  [42, [2581720956, 1925393290, 3661312704, 2876485805, 750819978, 2261697747, 1173505300, 2683257857]],
  [123456789, [1107202814, 4169434471, 3372958138, 885470128, 1301683845, 3208624240, 3344635568, 1221959552]],
  [4294967295, [3850105811, 813802916, 3073704848, 4054706436, 3630262831, 2315588663, 2922715533, 2042566601]]
]

describe("the generator mulberry32/1", () => {
  it.each(vectors)("gives the specified outputs for seed %s", (seed, outputs) => {
    const next = mulberry32(seed)

    expect(outputs.map(() => next())).toEqual(outputs)
  })

  it("gives 2759564329 as the 1000th output for seed 42", () => {
    const next = mulberry32(42)
    const outputs = Array.from({ length: 1_000 }, next)

    expect(outputs.at(-1)).toBe(2759564329)
  })

  it("gives unsigned 32-bit integers, and two of one seed do not disturb each other", () => {
    const [one, two] = [mulberry32(7), mulberry32(7)]
    const outputs = Array.from({ length: 1_000 }, one)

    expect(outputs.every((output) => Number.isInteger(output) && output >= 0 && output < 2 ** 32)).toBe(true)
    expect(Array.from({ length: 1_000 }, two)).toEqual(outputs)
  })
})
