import { expect, test } from "vitest"
import { connect, right } from "../../ports/stream-world.ts"
import { frame, frames, over } from "../proxy-world.ts"
import { type Setting, startIn } from "../setting.ts"

/** Scenarios 75 to 81 of agent-harness.md, section 9; 93 is that they hold for each pair of kinds. */
export const plainScenarios = (setting: Setting): void => {
  const start = (plan?: unknown) => startIn(setting, { plan })

  test("75. an empty plan: all that is sent comes back", async () => {
    const { world, proxy, echoed } = await start()
    const client = await echoed()

    await world.settled(client.write(frames("one", "two", "three")))
    await world.settled(client.has(frames("one", "two", "three").length))

    expect(client.text()).toBe(frames("one", "two", "three"))
    expect([proxy.forwarded("clientToLeader"), proxy.forwarded("leaderToClient")]).toEqual([3, 3])
    await world.settled(proxy.stop())
  })

  test("76. dropFrame 2: the second frame is missing, and was received", async () => {
    const { world, proxy, echoed } = await start({ dropFrame: 2 })
    const client = await echoed()

    await world.settled(client.write(frames("first", "second", "third")))
    await world.settled(client.has(frames("first", "third").length))

    expect(client.text()).toBe(frames("first", "third"))
    expect(proxy.forwarded("clientToLeader")).toBe(2)
    expect(proxy.connections()[0]?.clientToLeader).toMatchObject({ received: 3, dropped: 1, delivered: 2 })
    await world.settled(proxy.stop())
  })

  test("77. duplicateFrame 1: the frame comes twice", async () => {
    const { world, proxy, echoed } = await start({ duplicateFrame: 1 })
    const client = await echoed()

    await world.settled(client.write(frame("once")))
    await world.settled(client.has(frames("once", "once").length))

    expect(client.text()).toBe(frames("once", "once"))
    expect([proxy.forwarded("clientToLeader"), proxy.forwarded("leaderToClient")]).toEqual([2, 2])
    await world.settled(proxy.stop())
  })

  test("78. severMidFrame 1: two bytes come, and then the end", async () => {
    const { world, proxy, through } = await start({ severMidFrame: 1 })
    const { client, upstream } = await through()

    await world.settled(client.write(frame("never-delivered")))
    await world.settled(Promise.all([over(client), over(upstream)]))

    expect(upstream.text()).toBe("\0\0")
    expect(client.received()).toBe(0)
    expect(proxy.forwarded("clientToLeader")).toBe(0)
    await world.settled(proxy.stop())
  })

  test("80. severNow: the client is closed, a new one works, and its frames are counted anew", async () => {
    const { world, proxy, echoed } = await start({ dropFrame: 2 })
    const client = await echoed()
    await world.settled(client.write(frame("alive")))
    await world.settled(client.has(frame("alive").length))

    expect(proxy.severNow()).toBe(1)
    await world.settled(over(client))
    const next = await echoed()
    await world.settled(next.write(frames("first", "second", "third")))
    await world.settled(next.has(frames("first", "third").length))

    expect(next.text()).toBe(frames("first", "third"))
    expect(proxy.totals()).toMatchObject({ accepted: 2, active: 1, severed: 1, closed: 1 })
    await world.settled(proxy.stop())
  })

  test("81. a plan for the other direction: the answer is missing, and the question was seen", async () => {
    const { world, proxy, echoed } = await start({ direction: "leaderToClient", dropFrame: 1 })
    const client = await echoed()

    await world.settled(client.write(frame("first")))
    await world.settled(proxy.waitForForwarded("clientToLeader", 1))
    await world.settled(client.write(frame("second")))
    await world.settled(client.has(frame("second").length))

    expect(client.text()).toBe(frames("second"))
    expect(proxy.connections()[0]?.leaderToClient).toMatchObject({ received: 2, dropped: 1, delivered: 1 })
    await world.settled(proxy.stop())
  })

  test("nothing is left of a proxy that was stopped", async () => {
    const { world, proxy, echoed, supervisor } = await start()
    const client = await echoed()

    await world.settled(proxy.stop())

    await world.settled(over(client))
    const failed = await world.settled(connect(world.streams, proxy.address))
    expect(() => right(failed)).toThrow()
    expect(supervisor.alive()).toBe(0)
    await world.settled(proxy.stop())
  })
}
