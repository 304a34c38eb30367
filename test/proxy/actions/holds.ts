import { expect, test } from "vitest"
import { frames, over } from "../proxy-world.ts"
import { expectMs, type Setting, startIn, timed } from "../setting.ts"

const holdSecond = { rules: [{ match: { index: 2 }, action: { type: "hold", barrier: "gate" } }] }

/** Frames that wait until the test lets them go. */
export const holdActions = (setting: Setting): void => {
  test("hold: a frame and those behind it wait, the other direction does not, until the barrier is open for good", async () => {
    const { world, proxy, through } = await startIn(setting, { plan: holdSecond })
    const { client, upstream } = await through()

    void client.write(frames("one", "two", "three"))
    const held = await world.settled(proxy.waitForHeld("gate"))
    void upstream.write(frames("back"))
    await world.settled(client.has(frames("back").length))
    await world.settled(upstream.has(frames("one").length))
    await world.quiet()

    const waiting = { connection: 1, direction: "clientToLeader", index: 2, barriers: ["gate"] }
    expect([held, proxy.held()]).toEqual([waiting, [waiting]])
    expect([upstream.text(), client.text()]).toEqual([frames("one"), frames("back")])
    // The third may be on its way still, as nothing more is read.
    const { buffered } = proxy.connections()[0]?.clientToLeader ?? { buffered: 0 }
    expect(buffered).toBeGreaterThanOrEqual(frames("two").length)
    expect(buffered).toBeLessThanOrEqual(frames("two", "three").length)
    expect([proxy.release("other"), proxy.release("gate"), proxy.release("gate")]).toEqual([0, 1, 0])
    await world.settled(upstream.has(frames("one", "two", "three").length))
    expect([upstream.text(), proxy.held()]).toEqual([frames("one", "two", "three"), []])

    const next = await through()
    void next.client.write(frames("one", "two"))
    await world.settled(next.upstream.has(frames("one", "two").length))
    await world.settled(proxy.stop())
  })

  test("hold: who comes to several barriers waits at each, and its delay begins behind the last", async () => {
    const rules = [
      { match: { index: 1 }, action: { type: "hold", barrier: "one" } },
      { match: { index: 1 }, action: { type: "hold", barrier: "two" } },
      { match: { index: 1 }, action: { type: "delay", ms: 40 } }
    ]
    const run = await startIn(setting, { plan: { rules } })
    const { world, proxy } = run
    const { client, upstream } = await run.through()

    void client.write(frames("a"))
    expect((await world.settled(proxy.waitForHeld("two"))).barriers).toEqual(["one", "two"])
    expect(proxy.release("two")).toBe(1)
    expect(proxy.held()).toMatchObject([{ barriers: ["one"] }])
    await world.quiet()
    expect(upstream.received()).toBe(0)
    expect(proxy.release("one")).toBe(1)
    expect(proxy.held()).toEqual([])
    expectMs(setting, await timed(run, upstream.has(frames("a").length)), 40)

    await world.settled(proxy.stop())
  })

  test("hold: what waits is lost when its connection is severed, and when the proxy stops", async () => {
    const { world, proxy, through } = await startIn(setting, { plan: holdSecond })
    const [first, second] = [await through(), await through()]
    for (const { client } of [first, second]) void client.write(frames("one", "two"))
    await world.settled(Promise.all([first, second].map(({ upstream }) => upstream.has(frames("one").length))))
    await world.quiet()
    expect(proxy.held().map(({ connection }) => connection)).toEqual([1, 2])

    expect([proxy.severConnection(1), proxy.severConnection(3)]).toEqual([true, false])
    await world.settled(over(first.upstream))
    expect(proxy.held().map(({ connection }) => connection)).toEqual([2])
    expect(proxy.severConnection(1)).toBe(false)
    await world.settled(proxy.stop())
    await world.settled(over(second.upstream))

    expect(proxy.held()).toEqual([])
    for (const { upstream } of [first, second]) expect(upstream.text()).toBe(frames("one"))
    expect(proxy.connections().map(({ clientToLeader }) => clientToLeader.discarded)).toEqual([1, 1])
  })
}
