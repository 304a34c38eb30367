import { describe, expect, it } from "vitest"
import { laneSeed } from "../../../src/faults/chance/lane-seed.ts"
import { derive, fmix, fnv } from "../../../src/kernel/derive-seed.ts"
import { mulberry32 } from "../../../src/kernel/mulberry32.ts"

describe("derived seeds", () => {
  it.each([
    ["", 2166136261],
    ["a", 3826002220],
    ["lane:alpha", 1684148209]
  ])("hash the text %j to the specified number", (text, hash) => {
    expect(fnv(text)).toBe(hash)
  })

  it("hash the UTF-8 bytes of a text, not its code units", () => {
    // FNV-1a 32 of the bytes c3 a9.
    const expected = Math.imul(Math.imul(2166136261 ^ 0xc3, 16777619) ^ 0xa9, 16777619) >>> 0

    expect(fnv("é")).toBe(expected)
  })

  it("mix 1 to 1364076727, and leave 0 alone", () => {
    expect([fmix(1), fmix(0)]).toEqual([1364076727, 0])
  })

  it.each([
    [42, "lane:alpha", 2754435026, [1258284834, 3317572681, 1708159774]],
    [42, "lane:beta", 672564017, [880662713, 3759537242, 854443549]],
    [0, "lane:alpha", 1469142887, [823354589, 3435683811, 746854524]],
    [42, "jitter", 2193748679, [868093473, 2053897773, 3761587381]],
    [42, "incident", 2086313428, [3280124264, 2283569282, 3775502233]]
  ])("of %s and %s start the specified stream", (seed, label, derived, outputs) => {
    const next = mulberry32(derived)

    expect(derive(seed, label)).toBe(derived)
    expect(outputs.map(() => next())).toEqual(outputs)
  })

  it("are unsigned also for the largest seed", () => {
    const seeds = Array.from({ length: 100 }, (_, index) => derive(4294967295, `lane:${index}`))

    expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32)).toBe(true)
  })

  it("leave the configured seed to lane default and derive any other", () => {
    expect(laneSeed(42, "default")).toBe(42)
    expect(laneSeed(42, "alpha")).toBe(2754435026)
    expect(laneSeed(4294967295, "default")).toBe(4294967295)
  })
})
