import { expect, test } from "vitest"
import { InvalidOption } from "../../../src/domain/errors.ts"
import { startFaultProxy } from "../../../src/proxy/start-fault-proxy.ts"
import { connect, right } from "../../ports/stream-world.ts"
import { addressOf, frame, frames, over } from "../proxy-world.ts"
import { type Setting, startIn } from "../setting.ts"

/** What a test changes while its proxy runs. */
export const changeTests = (setting: Setting): void => {
  test("rules are added and removed while it runs, and count for the frames that come then", async () => {
    const { world, proxy, echoed } = await startIn(setting, {
      plan: { rules: [{ id: "first", match: { method: "a" }, action: "drop" }] }
    })
    const client = await echoed()
    const came: Array<string> = []
    const sends = async (...texts: ReadonlyArray<string>): Promise<void> => {
      came.push(...texts)
      for (const text of texts) void client.write(frame(text))
      await world.settled(client.has(frames(...came).length))
    }

    await sends("1")
    const added = proxy.addRule({ match: { every: 1 }, action: "duplicate" })
    const named = proxy.addRule({ id: "named", match: { index: 3 }, action: { type: "delay", ms: 1 } })
    expect([added, named]).toEqual(["added-1", "named"])
    expect(proxy.rules().map(({ id }) => id)).toEqual(["first", "added-1", "named"])
    void client.write(frame("2"))
    await world.settled(client.has(frames("1", "2", "2").length))
    came.push("2", "2")
    expect([proxy.removeRule(added), proxy.removeRule(added), proxy.removeRule("nobody")]).toEqual([true, false, false])
    await sends("3", "4")

    expect(client.text()).toBe(frames("1", "2", "2", "3", "4"))
    expect(() => proxy.addRule({ id: "named", action: "drop" })).toThrow(InvalidOption)
    expect(proxy.rules()).toHaveLength(2)
    await world.settled(proxy.stop())
  })

  test("a plan takes the place of another one, also in the middle of a connection", async () => {
    const { world, proxy, through } = await startIn(setting, { plan: { dropFrame: 1 } })
    const { client, upstream } = await through()
    void client.write(frames("1", "2"))
    await world.settled(upstream.has(frames("2").length))

    proxy.setPlan({ dropFrame: 4 })
    void client.write(frames("3", "4", "5"))
    await world.settled(upstream.has(frames("2", "3", "5").length))
    proxy.setPlan({})
    void client.write(frames("6"))
    await world.settled(upstream.has(frames("2", "3", "5", "6").length))

    expect(upstream.text()).toBe(frames("2", "3", "5", "6"))
    expect(() => Reflect.apply(proxy.setPlan, proxy, [{ dropFrames: 1 }])).toThrow(/dropFrame/)
    expect(proxy.rules()).toEqual([])
    await world.settled(proxy.stop())
  })

  test("the first connection is faulted, the reconnect is spared", async () => {
    const { world, proxy, through } = await startIn(setting, {
      plan: { rules: [{ connection: 1, match: { index: 2 }, action: "sever" }] }
    })
    const first = await through()
    void first.client.write(frames("1", "2", "3"))
    await world.settled(over(first.client))

    const second = await through()
    void second.client.write(frames("1", "2", "3"))
    await world.settled(second.upstream.has(frames("1", "2", "3").length))

    expect(proxy.connections().map(({ state }) => state)).toEqual(["severed", "piping"])
    await world.settled(proxy.stop())
  })

  test("one connection is severed, the others go on", async () => {
    const { world, proxy, through } = await startIn(setting)
    const [first, second] = [await through(), await through()]

    expect([proxy.severConnection(1), proxy.severConnection(1), proxy.severConnection(9)]).toEqual([true, false, false])
    await world.settled(Promise.all([over(first.client), over(first.upstream)]))
    void second.client.write(frames("still here"))
    await world.settled(second.upstream.has(frames("still here").length))

    expect(proxy.totals()).toMatchObject({ accepted: 2, active: 1, severed: 1 })
    await world.settled(proxy.stop())
  })

  test("who is connecting still is severed as well", async () => {
    const { world, proxy } = await startIn(setting)
    const hasSevered = proxy.waitForConnections(1).then(() => [proxy.connections()[0]?.state, proxy.severNow()])
    const client = right(await world.settled(connect(world.streams, proxy.address)))

    expect(await world.settled(hasSevered)).toEqual(["connecting", 1])
    await world.settled(over(client))
    expect(client.received()).toBe(0)
    await world.quiet()
    expect(proxy.totals()).toMatchObject({ accepted: 1, active: 0, severed: 1, closed: 1, upstreamRefused: 0 })
    const next = right(await world.settled(connect(world.streams, proxy.address)))
    void next.write(frames("next"))
    await world.settled(proxy.waitForForwarded("clientToLeader", 1))
    await world.settled(proxy.stop())
  })

  test("two proxies one behind the other: each does what its plan says, and a sever goes through both", async () => {
    const run = await startIn(setting, { plan: { dropFrame: 2 } })
    const { world, proxy: behind } = run
    const front = await world.settled(
      startFaultProxy(
        { ...world, supervisor: run.supervisor },
        { listen: addressOf(world, setting.kinds.kind), upstream: behind.address, plan: { duplicateFrame: 3 } }
      )
    )
    const client = right(await world.settled(connect(world.streams, front.address)))
    const upstream = await world.settled(run.accepted())

    void client.write(frames("1", "2", "3", "4"))
    await world.settled(upstream.has(frames("1", "3", "3", "4").length))
    expect(upstream.text()).toBe(frames("1", "3", "3", "4"))
    expect([front, behind].map((proxy) => proxy.forwarded("clientToLeader"))).toEqual([5, 4])

    expect(front.severNow()).toBe(1)
    await world.settled(Promise.all([over(client), over(upstream)]))
    upstream.socket.end()
    await world.settled(front.stop())
    await world.settled(behind.stop())
    expect(run.supervisor.alive()).toBe(0)
  })
}
