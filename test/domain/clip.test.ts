import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { clip } from "../../src/domain/clip.ts"

describe("a text that is clipped", () => {
  it("stays as it is where it is short, and shows that it was cut where it is long", () => {
    expect([clip("abcd", 4), clip("abcde", 4), clip("a\ud83d\ude00b", 3)]).toEqual(["abcd", "abc…", "a\ud83d…"])
  })

  it("keeps nothing of what was cut off in memory", () => {
    setFlagsFromString("--expose-gc")
    const collect: unknown = runInNewContext("gc")
    if (typeof collect !== "function") throw new Error("there is no way to collect garbage")
    const heapBytes = (): number => {
      collect()
      return process.memoryUsage().heapUsed
    }
    const before = heapBytes()

    const kept = Array.from({ length: 200 }, (_, index) =>
      clip(Buffer.alloc(100_000, `${index} `).toString("latin1"), 256)
    )

    expect(heapBytes() - before).toBeLessThan(4_000_000)
    expect(kept.at(-1)).toHaveLength(256)
  })
})
