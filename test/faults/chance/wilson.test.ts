import { describe, expect, it } from "vitest"
import { wilsonInterval } from "../../../src/faults/chance/wilson.ts"

describe("the Wilson interval", () => {
  // Newcombe 1998, table I, method 3; the last two by symmetry and by hand: 1 / (1 + z^2 / 10).
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
    [28, 29, 0.8282, 0.9939],
    [10, 10, 0.7225, 1]
  ])("of %s in %s is from %s to %s", (count, total, low, high) => {
    const interval = wilsonInterval({ count, total })

    expect(interval.low).toBeCloseTo(low, 4)
    expect(interval.high).toBeCloseTo(high, 4)
  })

  it("never leaves 0 to 1, and holds the share that was seen", () => {
    for (let total = 1; total <= 60; total++) {
      for (let count = 0; count <= total; count++) {
        const { low, high } = wilsonInterval({ count, total })

        expect(low >= 0 && low <= count / total && high >= count / total && high <= 1).toBe(true)
      }
    }
  })
})
