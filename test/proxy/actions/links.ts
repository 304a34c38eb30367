import { expect, test } from "vitest"
import { frames, over } from "../proxy-world.ts"
import { isTold, type Setting, startIn } from "../setting.ts"

/** Directions that are not read, for a while or for good. */
export const linkActions = (setting: Setting): void => {
  test("stall: behind its frame the direction is read no more until it is resumed; the other one is", async () => {
    const { world, proxy, through } = await startIn(setting, {
      plan: { rules: [{ match: { index: 1 }, action: "stall" }] }
    })
    const [first, second] = [await through(), await through()]

    for (const { client } of [first, second]) {
      void client.write(frames("one", "two"))
      client.socket.end()
    }
    await world.settled(Promise.all([first, second].map(({ upstream }) => upstream.has(frames("one").length))))
    void first.upstream.write(frames("back"))
    await world.settled(first.client.has(frames("back").length))
    await world.quiet()
    expect([first, second].map(({ upstream }) => upstream.text())).toEqual([frames("one"), frames("one")])

    proxy.resume("clientToLeader", 2)
    await world.settled(second.upstream.ended)
    expect(second.upstream.text()).toBe(frames("one", "two"))
    await world.quiet()
    expect(first.upstream.text()).toBe(frames("one"))
    proxy.resume("clientToLeader")
    await world.settled(first.upstream.ended)
    expect(first.upstream.text()).toBe(frames("one", "two"))
    await world.settled(proxy.stop())
  })

  test("pause and resume: one connection, or all, and those to come", async () => {
    const { world, proxy, through } = await startIn(setting)
    const [first, second] = [await through(), await through()]
    proxy.pause("leaderToClient", 1)
    for (const { upstream } of [first, second]) void upstream.write(frames("a"))
    await world.settled(second.client.has(frames("a").length))
    await world.quiet()
    expect(first.client.received()).toBe(0)

    proxy.pause("leaderToClient")
    const third = await through()
    for (const { upstream } of [second, third]) void upstream.write(frames("b"))
    void third.client.write(frames("up"))
    await world.settled(third.upstream.has(frames("up").length))
    await world.quiet()
    expect([first, second, third].map(({ client }) => client.text())).toEqual(["", frames("a"), ""])

    proxy.resume("leaderToClient")
    await world.settled(
      Promise.all([
        first.client.has(frames("a").length),
        second.client.has(frames("a", "b").length),
        third.client.has(frames("b").length)
      ])
    )
    await world.settled(proxy.stop())
  })

  test("partition: both ways, for connections that are there and those to come; nothing is lost when it heals", async () => {
    const { world, proxy, through } = await startIn(setting)
    const first = await through()

    proxy.partition()
    const second = await through()
    for (const { client, upstream } of [first, second]) {
      void client.write(frames("up"))
      void upstream.write(frames("down"))
      client.socket.end()
    }
    await world.quiet()
    for (const { client, upstream } of [first, second]) expect(client.received() + upstream.received()).toBe(0)
    expect(proxy.totals()).toMatchObject({ accepted: 2, active: 2 })

    proxy.heal("leaderToClient")
    await world.settled(Promise.all([first, second].map(({ client }) => client.has(frames("down").length))))
    await world.quiet()
    expect(first.upstream.received() + second.upstream.received()).toBe(0)
    proxy.heal()
    await world.settled(Promise.all([first, second].map(({ upstream }) => upstream.ended)))
    for (const { client, upstream } of [first, second])
      expect([client.text(), upstream.text()]).toEqual([frames("down"), frames("up")])
    await world.settled(proxy.stop())
  })

  test("partition: a frame whose delay is over waits for the heal, and a severed connection is over all the same", async () => {
    const { world, proxy, through } = await startIn(setting, { plan: { delay: { frame: 1, ms: 20 } } })
    const { client, upstream } = await through()
    void client.write(frames("late"))
    await world.settled(isTold(proxy, "delayed"))

    proxy.partition("clientToLeader")
    await world.settled(proxy.waitForForwarded("clientToLeader", 1, { ms: 100 }).catch(() => {}))
    expect(upstream.received()).toBe(0)
    proxy.heal()
    await world.settled(upstream.has(frames("late").length))

    proxy.partition()
    expect(proxy.severNow()).toBe(1)
    await world.settled(Promise.all([over(client), over(upstream)]))
    await world.settled(proxy.stop())
  })

  test("vanish: behind its frame nothing comes and nothing is closed, whoever leaves", async () => {
    const { world, proxy, supervisor, through } = await startIn(setting, {
      plan: { rules: [{ match: { index: 2 }, action: "vanish" }] }
    })
    const [first, second] = [await through(), await through()]

    void first.client.write(frames("one", "two", "three"))
    await world.settled(first.upstream.has(frames("one", "two").length))
    void first.upstream.write(frames("back"))
    first.upstream.socket.destroy()
    expect([proxy.vanish(2), proxy.vanish(7)]).toEqual([true, false])
    void second.client.write(frames("nobody reads this"))
    second.client.socket.end()
    await world.quiet()

    expect(first.upstream.text()).toBe(frames("one", "two"))
    expect([first.client.reports, first.client.received()]).toEqual([[], 0])
    expect([second.upstream.reports, second.upstream.received()]).toEqual([[], 0])
    expect(proxy.totals()).toMatchObject({ active: 2, closed: 0, severed: 0 })
    // All of it is read, and nothing kept.
    expect(proxy.connections()[1]?.clientToLeader).toMatchObject({
      bytesIn: frames("nobody reads this").length,
      buffered: 0
    })
    await world.settled(proxy.stop())
    await world.settled(Promise.all([over(first.client), over(second.upstream)]))
    expect(supervisor.alive()).toBe(0)
  })

  test("vanish: also for a connection that is not connected yet", async () => {
    const { world, proxy, through } = await startIn(setting)
    // Asked before there is anybody, so that it is told in the moment when a client has come.
    const hasVanished = proxy.waitForConnections(1).then(() => [proxy.connections()[0]?.state, proxy.vanish(1)])
    const { client, upstream } = await world.settled(through())
    expect(await world.settled(hasVanished)).toEqual(["connecting", true])

    void upstream.write(frames("a"))
    void client.write(frames("b"))
    await world.quiet()
    client.socket.reset()
    await world.quiet()

    expect([client.received(), upstream.received(), upstream.reports]).toEqual([0, 0, []])
    expect(proxy.totals()).toMatchObject({ active: 1, severed: 0 })
    await world.settled(proxy.stop())
    await world.settled(over(upstream))
  })

  // Seen to hang, and to keep the frame, while only frames that were taken next were lost.
  test.each([
    ["held", { type: "hold", barrier: "b" }],
    ["delayed", { type: "delay", ms: 3_600_000 }],
    ["throttled", { type: "throttle", bytesPerSecond: 1 }]
  ])("vanish: a frame that is %s is lost at once, and what is behind it is read", async (_, action) => {
    const held = "x".repeat(10_000)
    const { world, proxy, through } = await startIn(setting, { plan: { rules: [{ match: { index: 1 }, action }] } })
    const { client, upstream } = await through()
    const discarded = isTold(proxy, "discarded")
    void client.write(frames(held))
    await world.quiet()

    expect(proxy.vanish(1)).toBe(true)
    await world.settled(discarded)
    const more = client.write(frames("x".repeat(100_000)).repeat(50))
    expect(await world.settled(more)).toBeNull()
    await world.quiet()

    expect(upstream.received()).toBeLessThan(held.length)
    expect(upstream.reports).toEqual([])
    expect(proxy.connections()[0]?.clientToLeader).toMatchObject({ received: 1, discarded: 1, buffered: 0 })
    expect(proxy.held()).toEqual([])
    await world.settled(proxy.stop())
  })

  // Seen to fail: the end of a reader that had read nothing closed the sender as well.
  test("vanish: whoever leaves while a write is stuck is not noticed by the other", async () => {
    const { world, proxy, through } = await startIn(setting, { isUpstreamPaused: true })
    const { client, upstream } = await through()
    const chunk = frames("x".repeat(10_000)).repeat(100)
    const hasFilled = (): boolean => (proxy.connections()[0]?.clientToLeader.buffered ?? 0) > 0
    for (let sent = 0; sent < 50 && !hasFilled(); sent++) {
      void client.write(chunk)
      await world.quiet()
    }
    expect(hasFilled()).toBe(true)

    expect(proxy.vanish(1)).toBe(true)
    upstream.socket.reset()
    await world.settled(upstream.closed)
    await world.quiet()

    expect(client.reports).toEqual([])
    expect(proxy.totals()).toMatchObject({ active: 1, severed: 0 })
    await world.settled(proxy.stop())
    await world.settled(over(client))
  })
}
