import { expect, test } from "vitest"
import { frame, frames, over } from "../proxy-world.ts"
import { expectMs, type Setting, startIn, timed } from "../setting.ts"

/** Scenarios 85 to 87 of agent-harness.md, section 9. */
export const endScenarios = (setting: Setting): void => {
  const swapped = (name: "client" | "upstream") => (name === "client" ? "upstream" : "client")

  test.each(["client", "upstream"] as const)(
    "85. the %s half-closes, gets an answer, and then the end",
    async (name) => {
      const { world, proxy, through } = await startIn(setting)
      const both = await through()
      const asking = both[name]
      const answering = both[swapped(name)]

      void asking.write(frame("x"))
      asking.socket.end()
      await world.settled(answering.ended)
      expect(answering.text()).toBe(frames("x"))
      void answering.write(frame("x"))
      answering.socket.end()
      await world.settled(Promise.all([asking.closed, answering.closed]))

      expect(asking.text()).toBe(frames("x"))
      expect(asking.reports).toEqual(["ended", "closed null"])
      expect(answering.reports).toEqual(["ended", "closed null"])
      await world.quiet()
      expect(proxy.connections()[0]).toMatchObject({ state: "closed", clientToLeader: { delivered: 1, discarded: 0 } })
      expect(proxy.totals()).toMatchObject({ active: 0, closed: 1, severed: 0 })
      const ended = proxy.events().filter(({ type }) => type === "half-closed")
      expect(ended).toHaveLength(2)
      await world.settled(proxy.stop())
    }
  )

  test("86. a client that leaves without a word: the other side sees the end", async () => {
    const run = await startIn(setting)
    const { client, upstream } = await run.through()

    client.socket.destroy()
    expectMs(setting, await timed(run, over(upstream)), 0)
    upstream.socket.end()
    await run.world.settled(upstream.closed)

    expect(upstream.received()).toBe(0)
    await run.world.quiet()
    expect(run.proxy.totals()).toMatchObject({ accepted: 1, active: 0, closed: 1 })
    await run.world.settled(run.proxy.stop())
  })

  test("86. an upstream that leaves: the client sees the end, and what it still sends is nobody's", async () => {
    const run = await startIn(setting)
    const { client, upstream } = await run.through()

    upstream.socket.destroy()
    expectMs(setting, await timed(run, over(client)), 0)
    void client.write(frame("to nobody"))
    client.socket.end()
    await run.world.settled(client.closed)

    await run.world.quiet()
    expect(run.proxy.totals()).toMatchObject({ accepted: 1, active: 0, closed: 1 })
    await run.world.settled(run.proxy.stop())
  })

  test.each([
    { tail: "forward", bytes: 6 },
    { tail: "drop", bytes: 0 }
  ] as const)("87. input that ends inside a frame, tail $tail: $bytes bytes come, and no frame", async (one) => {
    const { world, proxy, through } = await startIn(setting, { tail: one.tail })
    const { client, upstream } = await through()

    void client.write(new Uint8Array([0, 0, 0, 5, 0x68, 0x69]))
    client.socket.end()
    await world.settled(upstream.ended)
    void upstream.write(frame("bye"))
    upstream.socket.end()
    await world.settled(Promise.all([client.closed, upstream.closed]))

    expect(upstream.text()).toBe("\0\0\0\u0005hi".slice(0, one.bytes))
    expect(client.text()).toBe(frames("bye"))
    expect(proxy.forwarded("clientToLeader")).toBe(0)
    expect(proxy.connections()[0]?.clientToLeader).toMatchObject({ received: 0, truncatedTail: 6, bytesIn: 6 })
    expect(proxy.connections()[0]?.leaderToClient).toMatchObject({ received: 1, truncatedTail: null })
    await world.settled(proxy.stop())
  })
}
