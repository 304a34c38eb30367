import { expect, test } from "vitest"
import { frame, frames } from "../proxy-world.ts"
import { expectMs, type Setting, startIn, timed } from "../setting.ts"

/** How fast frames go, and in what pieces. */
export const paceActions = (setting: Setting): void => {
  /** What comes of a text behind rules: each piece, and when. */
  const arrivals = async (
    rules: ReadonlyArray<unknown>,
    sent: string,
    options: { readonly seed?: number } = {}
  ): Promise<ReadonlyArray<readonly [ms: number, bytes: number]>> => {
    const { world, proxy, through } = await startIn(setting, { ...options, plan: { rules } })
    const { client, upstream } = await through()
    const from = world.clock.now()
    const came: Array<readonly [number, number]> = []
    upstream.heard((bytes) => came.push([world.clock.now() - from, bytes.length]))
    void client.write(sent)
    await world.settled(upstream.has(sent.length))
    expect(upstream.text()).toBe(sent)
    await world.settled(proxy.stop())
    return came
  }
  const isExact = setting.time === "exact"

  test("throttle: no byte before its turn, in pieces of 10 ms", async () => {
    const came = await arrivals([{ action: { type: "throttle", bytesPerSecond: 1_000 } }], frames("x".repeat(31)))

    if (isExact)
      expect(came).toEqual([
        [10, 10],
        [20, 10],
        [30, 10],
        [35, 5]
      ])
    expectMs(setting, came.at(-1)?.[0] ?? 0, 35)
  })

  test("throttle: small frames are as fast as one that has as many bytes", async () => {
    const rate = [{ action: { type: "throttle", bytesPerSecond: 40_000 } }]
    // 400 bytes in 50 frames.
    const came = await arrivals(rate, frames(...Array.from({ length: 50 }, () => "four")))

    expectMs(setting, came.at(-1)?.[0] ?? 0, 10)
  })

  test("throttle: of several the slowest counts, and frames of no rule go at once", async () => {
    const rules = [
      { match: { index: 1 }, action: { type: "throttle", bytesPerSecond: 200 } },
      { match: { index: 1 }, action: { type: "throttle", bytesPerSecond: 100 } }
    ]
    const came = await arrivals(rules, frames("123456", "2", "3"))

    if (isExact)
      expect(came.slice(-2)).toEqual([
        [100, 1],
        [100, 10]
      ])
    expectMs(setting, came.at(-1)?.[0] ?? 0, 100)
  })

  test("throttle: paused while nothing is sent, it owes nothing for that", async () => {
    const run = await startIn(setting, {
      plan: { rules: [{ action: { type: "throttle", bytesPerSecond: 1_000 } }] }
    })
    const { client, upstream } = await run.through()

    void client.write(frames("123456"))
    expectMs(setting, await timed(run, upstream.has(10)), 10)
    await run.world.settled(run.proxy.waitForForwarded("leaderToClient", 1, { ms: 50 }).catch(() => {}))
    void client.write(frames("123456"))
    expectMs(setting, await timed(run, upstream.has(20)), 10)

    await run.world.settled(run.proxy.stop())
  })

  test("splitWrites: pieces of these sizes, of which the last is repeated", async () => {
    const rules = [{ match: { index: 1 }, action: { type: "splitWrites", chunkSizes: [1, 2, 3] } }]
    const came = await arrivals(rules, frames("0123456789", "next"))

    if (isExact) expect(came.map(([, bytes]) => bytes)).toEqual([1, 2, 3, 3, 3, 2, 8])
  })

  test("splitWrites and throttle: pieces that have their turns", async () => {
    const rules = [
      { action: { type: "splitWrites", chunkSizes: [4] } },
      { action: { type: "throttle", bytesPerSecond: 100 } }
    ]
    const came = await arrivals(rules, frames("ab"))

    expectMs(setting, came.at(-1)?.[0] ?? 0, 60)
  })

  test("latency: so long and a part of the jitter, which follows from the seed", async () => {
    const rules = [{ action: { type: "latency", ms: 20, jitterMs: 30 } }]
    const last = async (seed: number): Promise<number> =>
      (await arrivals(rules, frames("a"), { seed })).at(-1)?.[0] ?? 0
    const first = [await last(1), await last(2), await last(3)]

    expect(first.every((ms) => setting.time === "unknown" || ms >= 20)).toBe(true)
    if (!isExact) return
    expect([await last(1), await last(2), await last(3)]).toEqual(first)
    expect(new Set(first).size).toBeGreaterThan(1)
    expect(Math.max(...first)).toBeLessThanOrEqual(50)
  })

  test("latency: what comes meanwhile is read, up to 64 KiB", async () => {
    const run = await startIn(setting, { plan: { delay: { frame: 1, ms: 50 } } })
    const { client, upstream } = await run.through()
    const many = Buffer.concat(Array.from({ length: 2_000 }, () => frame("x".repeat(1_000))))

    void client.write(frames("first"))
    void client.write(many)
    await run.world.settled(upstream.has(frames("first").length + many.length))

    // A chunk more, and what the socket has read before it heard of it.
    expect(run.mostBuffered.clientToLeader).toBeLessThanOrEqual(3 * 65_536)
    await run.world.settled(run.proxy.stop())
  })

  test("throttle: its turns begin when the frame before it has gone", async () => {
    const rules = [
      { match: { index: 1 }, action: { type: "delay", ms: 100 } },
      { match: { index: 2 }, action: { type: "throttle", bytesPerSecond: 1_000 } }
    ]
    const came = await arrivals(rules, frames("first", "0123456"))

    if (isExact)
      expect(came.slice(-2)).toEqual([
        [110, 10],
        [111, 1]
      ])
    expectMs(setting, came.at(-1)?.[0] ?? 0, 111)
  })

  test("latency: frames that came together are late together", async () => {
    const came = await arrivals([{ action: { type: "latency", ms: 20 } }], frames("a", "b", "c"))

    expectMs(setting, came.at(-1)?.[0] ?? 0, 20)
  })

  test("delay and latency of one frame come to their sum", async () => {
    const rules = [{ action: { type: "delay", ms: 15 } }, { action: { type: "latency", ms: 20 } }]
    const came = await arrivals(rules, frames("a"))

    expectMs(setting, came.at(-1)?.[0] ?? 0, 35)
  })
}
