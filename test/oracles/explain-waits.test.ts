import { describe, expect, it } from "vitest"
import { explainWaits } from "../../src/oracles/explain-waits.ts"

const waits = (...pairs: ReadonlyArray<string>) =>
  pairs.map((pair) => {
    const [who = "", waitsFor = ""] = pair.split(">")
    return { who, waitsFor }
  })

describe("Explained waits", () => {
  it("follow one wait after the other to what waits for nothing", () => {
    const { lines, cycles, roots } = explainWaits(waits("a>b", "b>c", "d>b"))
    expect(lines).toEqual(["a waits for b, which waits for c", "d waits for b, which waits for c"])
    expect(cycles).toEqual([])
    expect(roots).toEqual([{ who: "b", waitsFor: "c" }])
  })

  it("name each cycle once, and who waits for one of it", () => {
    const { lines, cycles } = explainWaits(waits("x>a", "a>b", "b>c", "c>a", "p>q", "q>p"))
    expect(cycles).toEqual([
      ["a", "b", "c"],
      ["p", "q"]
    ])
    expect(lines).toEqual([
      "a waits for b, which waits for c, which waits for a: a cycle",
      "p waits for q, which waits for p: a cycle",
      "x waits for a, which waits for b, which waits for c, which waits for a"
    ])
  })

  it("see that one waits for itself", () => {
    expect(explainWaits(waits("a>a")).lines).toEqual(["a waits for a: a cycle"])
  })

  it("are at most twenty lines and a number", () => {
    const many = Array.from({ length: 50 }, (_, index) => `w${index}>gate`)
    expect(explainWaits(waits(...many)).lines).toHaveLength(21)
    expect(explainWaits(waits(...many)).lines.at(-1)).toBe("and 30 more")
  })
})
