import { expect, test } from "vitest"
import { startFaultProxy } from "../../../src/proxy/start-fault-proxy.ts"
import { connect, right } from "../../ports/stream-world.ts"
import { frame, frames, over } from "../proxy-world.ts"
import { expectMs, type Setting, startIn, timed } from "../setting.ts"

/** Scenarios 79, 82 and 90 of agent-harness.md, section 9. */
export const delayScenarios = (setting: Setting): void => {
  const start = (plan?: unknown) => startIn(setting, { plan })

  test("79. delay 1 of 300 ms: the first frame is held so long, and the second one is not", async () => {
    const run = await start({ delay: { frame: 1, ms: 300 } })
    const client = await run.echoed()

    void client.write(frame("held"))
    expectMs(setting, await timed(run, client.has(frame("held").length)), 300)
    void client.write(frame("quick"))
    expectMs(setting, await timed(run, client.has(frames("held", "quick").length)), 0)

    expect(client.text()).toBe(frames("held", "quick"))
    await run.world.settled(run.proxy.stop())
  })

  test("82. drop 2 and sever 2: the frame is dropped, and the connection lives", async () => {
    const { world, proxy, echoed } = await start({ dropFrame: 2, severMidFrame: 2 })
    const client = await echoed()

    void client.write(frames("first", "second", "third"))
    await world.settled(client.has(frames("first", "third").length))

    expect(client.text()).toBe(frames("first", "third"))
    expect(proxy.totals()).toMatchObject({ active: 1, severed: 0 })
    expect(proxy.connections()[0]?.clientToLeader).toMatchObject({ dropped: 1, severed: 0 })
    await world.settled(proxy.stop())
  })

  test("82. sever 2, delay 2 and duplicate 2: severed at once", async () => {
    const run = await start({ severMidFrame: 2, delay: { frame: 2, ms: 1_000 }, duplicateFrame: 2 })
    const { client, upstream } = await run.through()

    void client.write(frames("first", "second", "third"))
    expectMs(setting, await timed(run, Promise.all([over(client), over(upstream)])), 0)

    expect(upstream.text()).toBe(`${frames("first")}\0\0`)
    // The log is in the time of the world, which the machine has no part in but where sockets are real.
    const severedAt = run.proxy.events().find(({ type }) => type === "severed")?.at
    if (setting.time !== "unknown") expect(severedAt).toBeLessThan(1_000)
    await run.world.settled(run.proxy.stop())
  })

  test("82. delay 2 of 200 ms and duplicate 2: two copies, both behind the delay", async () => {
    const run = await start({ delay: { frame: 2, ms: 200 }, duplicateFrame: 2 })
    const { client, upstream } = await run.through()
    const { clock } = run.world
    const from = clock.now()
    const cameMs: Array<number> = []
    upstream.heard(() => cameMs.push(clock.now() - from))

    void client.write(frames("first", "second"))
    await run.world.settled(upstream.has(frames("first", "second", "second").length))

    expect(upstream.text()).toBe(frames("first", "second", "second"))
    expectMs(setting, cameMs.at(-1) ?? 0, 200)
    if (setting.time === "exact") expect(cameMs).toEqual([0, 200, 200])
    expect(run.proxy.forwarded("clientToLeader")).toBe(3)
    await run.world.settled(run.proxy.stop())
  })

  test("90. stopped during a delay: nothing is left, nothing comes, and another listens there at once", async () => {
    const run = await start({ delay: { frame: 1, ms: 1_000 } })
    const { world, proxy, supervisor, timers } = run
    const { client, upstream } = await run.through()
    const isDelayed = new Promise<void>((resolve) => {
      proxy.watch((event) => {
        if (event.type === "frame" && event.action === "delayed") resolve()
      })
    })
    void client.write(frame("held"))
    await world.settled(isDelayed)

    expectMs(setting, await timed(run, proxy.stop()), 0)

    expect([timers(), supervisor.alive()]).toEqual([0, 0])
    if (proxy.address.kind === "unix") expect(world.isThere(proxy.address.path)).toBe(false)
    expect(proxy.connections()[0]?.clientToLeader).toMatchObject({ received: 1, discarded: 1, delivered: 0 })
    const parts = { ...world, supervisor }
    const second = await world.settled(startFaultProxy(parts, { listen: proxy.address, upstream: run.served }))
    right(await world.settled(connect(world.streams, second.address)))
    await world.settled(second.waitForConnections(1))
    await world.settled(Promise.all([over(client), over(upstream), second.stop()]))
    expect(upstream.received()).toBe(0)
  })
}
