import { performance as named } from "node:perf_hooks"
import { hrtime } from "node:process"
import { describe, expect, it } from "vitest"
import { returned, sleep } from "./fence-world.ts"

/** As Effect keeps it, from before the fence. */
const keptHrtime = process.hrtime

describe("The fenced clocks", () => {
  it("tell virtual time from a fixed beginning", async () => {
    const told = await returned(async () => {
      const before = performance.now()
      const pair = process.hrtime()
      const nanos = hrtime.bigint()
      await sleep(1_500)
      return {
        date: new Date().toISOString(),
        now: Date.now(),
        text: Date(),
        passed: performance.now() - before,
        origin: performance.timeOrigin + performance.now(),
        named: named.now() === performance.now(),
        pair: process.hrtime(pair),
        nanos: hrtime.bigint() - nanos,
        uptime: process.uptime()
      }
    })
    expect(told).toEqual({
      date: "2030-01-01T00:00:01.500Z",
      now: Date.UTC(2030, 0, 1) + 1_500,
      text: new Date(Date.UTC(2030, 0, 1) + 1_500).toString(),
      passed: 1_500,
      origin: Date.UTC(2030, 0, 1) + 1_500,
      named: true,
      pair: [1, 500_000_000],
      nanos: 1_500_000_000n,
      uptime: 2.5
    })
  })

  it("tell it also to whoever kept `process.hrtime` from before", async () => {
    const told = await returned(async () => {
      const before = keptHrtime.bigint()
      await sleep(1_500)
      return keptHrtime.bigint() - before
    })

    expect(told).toBe(1_500_000_000n)
  })

  it("make dates that are dates", async () => {
    class Later extends Date {
      override getTime(): number {
        return super.getTime() + 1
      }
    }
    const outside = new Date(5)
    await returned(() => {
      const inside = new Date()
      expect(inside instanceof Date).toBe(true)
      expect(outside instanceof Date).toBe(true)
      expect(inside.constructor).toBe(Date)
      expect(Object.prototype.toString.call(inside)).toBe("[object Date]")
      expect(new Date(2_020, 1, 3).getFullYear()).toBe(2_020)
      expect(new Date("2001-02-03T04:05:06Z").getTime()).toBe(Date.UTC(2001, 1, 3, 4, 5, 6))
      expect(Date.parse("2001-02-03T04:05:06Z")).toBe(Date.UTC(2001, 1, 3, 4, 5, 6))
      expect(new Later().getTime()).toBe(Date.UTC(2030, 0, 1) + 1)
      expect(new Later() instanceof Later).toBe(true)
      expect(structuredClone(inside).getTime()).toBe(inside.getTime())
      expect([Date.name, Date.length]).toEqual(["Date", 7])
    })
  })

  it("abort by timeout", async () => {
    const [reason, at] = await returned(async ({ kernel }) => {
      const signal = AbortSignal.timeout(250)
      await new Promise((resolve) => signal.addEventListener("abort", resolve))
      return [signal.reason, kernel.now()]
    })
    expect(reason).toMatchObject({ name: "TimeoutError" })
    expect(at).toBe(250)
    await returned(() => {
      expect(() => AbortSignal.timeout(-1)).toThrow(RangeError)
    })
  })
})
