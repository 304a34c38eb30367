import nodeCrypto, { getRandomValues, randomBytes, randomFillSync, randomInt, randomUUID } from "node:crypto"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { calmChoice } from "../../src/kernel/choice-sources.ts"
import { asActor } from "../../src/sim/fence-run.ts"
import { returned, runOnce } from "./fence-world.ts"

describe("The fenced Math.random", () => {
  it("draws a sixteenth with its label and adds a fraction of its own", async () => {
    const { kernel, ...outcome } = await runOnce(3, () => [
      Math.random(),
      Math.random(),
      asActor("c1", () => Math.random()),
      Math.random()
    ])
    const values = outcome.status === "returned" ? outcome.value : []

    expect(kernel.draws.map(({ label, n }) => [label, n])).toEqual([
      ["random/1", 16],
      ["random/2", 16],
      ["random/c1/1", 16],
      ["random/3", 16]
    ])
    expect(values.map((value) => Math.floor(value * 16))).toEqual(kernel.draws.map(({ answer }) => answer))
  })

  it("gives no two equal answers in the calm run, all of them below one sixteenth", async () => {
    const values = await returned(() => Array.from({ length: 1_000 }, () => Math.random()), {
      kernelOptions: { choice: calmChoice }
    })
    expect(new Set(values).size).toBe(1_000)
    expect(Math.max(...values)).toBeLessThan(1 / 16)
  })
})

describe("The fenced ids and bytes", () => {
  const ids = async (seed: number) => {
    const outcome = await runOnce(
      seed,
      async () => {
        const bytes = new Uint8Array(20)
        const words = new Uint32Array(4)
        return [
          crypto.randomUUID(),
          randomUUID(),
          nodeCrypto.randomUUID({ disableEntropyCache: true }),
          crypto.getRandomValues(bytes).join(),
          getRandomValues(words).join(),
          randomBytes(8).toString("hex"),
          (await promisify(randomBytes)(8)).toString("hex"),
          randomFillSync(Buffer.alloc(10), 4, 4).toString("hex"),
          String(randomInt(1_000_000)),
          String(randomInt(5, 1_000_000)),
          String(await promisify<number, number>(randomInt)(1_000_000))
        ]
      },
      { kernelOptions: { choice: calmChoice } }
    )
    expect(outcome.kernel.draws).toEqual([])
    if (outcome.status === "failed") throw outcome.error
    return outcome.value
  }

  it("are the same for one seed and others for another, without a draw", async () => {
    const first = await ids(1)
    expect(await ids(1)).toEqual(first)
    const other = await ids(2)
    for (const [index, id] of first.entries()) expect(other[index]).not.toBe(id)
    expect(first[7]?.slice(0, 8)).toBe("00000000")
    expect(first[7]?.slice(16)).toBe("0000")
    expect(first[7]?.slice(8, 16)).not.toBe("00000000")
    for (const id of first.slice(0, 3)) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    }
  })

  it("never repeat within a run, not even when everything is calm", async () => {
    const count = 100_000
    const distinct = await returned(
      () => {
        const heads = new Set<string>()
        for (let at = 0; at < count; at++) heads.add(crypto.randomUUID().slice(0, 8))
        return heads.size
      },
      { kernelOptions: { choice: calmChoice } }
    )
    expect(distinct).toBe(count)
  })

  it("leave bad arguments to Node", async () => {
    await returned(() => {
      expect(() => Reflect.apply(crypto.getRandomValues, crypto, [new Float32Array(4)])).toThrow()
      expect(() => crypto.getRandomValues(new Uint8Array(65_537))).toThrow()
      expect(() => randomBytes(-1)).toThrow(RangeError)
      expect(() => randomInt(5, 5)).toThrow(RangeError)
    })
  })
})
