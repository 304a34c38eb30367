import { expect, test } from "vitest"
import { frame, frames, over } from "../proxy-world.ts"
import { expectMs, type Setting, startIn, timed } from "../setting.ts"

const limitBytes = 67_108_864
const chunkBytes = 65_536

/** No bound on the proxy: a guard against hanging. */
const patienceMs = 60_000

/** Scenarios 83, 84 and 89 of agent-harness.md, section 9. */
export const sizeScenarios = (setting: Setting): void => {
  test("83. a body without bytes comes back, and is counted", async () => {
    const { world, proxy, echoed } = await startIn(setting)
    const client = await echoed()

    void client.write(frame(""))
    await world.settled(client.has(4))

    expect(client.text()).toBe("\0\0\0\0")
    expect([proxy.forwarded("clientToLeader"), proxy.forwarded("leaderToClient")]).toEqual([1, 1])
    await world.settled(proxy.stop())
  })

  // Both kinds of sockets are in the mixed pair; once is enough for so much.
  const isMixed = setting.kinds.kind !== setting.kinds.upstreamKind
  test.runIf(isMixed)(
    "83. a body of 64 MiB passes, whole where a rule could be about it, else in pieces",
    { timeout: patienceMs },
    async () => {
      const body = new Uint8Array(limitBytes).fill(0x61)
      for (const plan of [{}, { rules: [{ match: { index: 1 }, action: { type: "delay", ms: 0 } }] }]) {
        const { world, proxy, through, mostBuffered } = await startIn(setting, { plan })
        const { client, upstream } = await through()

        void client.write(frame(body))
        await world.settled(upstream.has(4 + limitBytes))

        expect(upstream.received()).toBe(4 + limitBytes)
        await world.settled(proxy.waitForForwarded("clientToLeader", 1))
        const isWhole = "rules" in plan
        expect(mostBuffered.clientToLeader).toBeLessThanOrEqual(isWhole ? 4 + limitBytes + chunkBytes : 2 * chunkBytes)
        if (isWhole) expect(mostBuffered.clientToLeader).toBeGreaterThan(limitBytes - chunkBytes)
        await world.settled(proxy.stop())
      }
    }
  )

  test("83. one byte more is an error as soon as the length is known; what came before it is delivered", async () => {
    const { world, proxy, through, mostBuffered } = await startIn(setting)
    const { client, upstream } = await through()

    void client.write(frame("fine"))
    await world.settled(upstream.has(frame("fine").length))
    void client.write(new Uint8Array([4, 0, 0, 1, ...new Uint8Array(chunkBytes)]))
    await world.settled(Promise.all([over(client), over(upstream)]))

    expect(upstream.text()).toBe(frames("fine"))
    expect(mostBuffered.clientToLeader).toBeLessThan(131_072)
    expect(proxy.totals()).toMatchObject({ frameErrors: 1, severed: 1, active: 0 })
    expect(proxy.connections()[0]?.clientToLeader).toMatchObject({ received: 1, delivered: 1, discarded: 0 })
    expect(proxy.connections()[0]?.clientToLeader.error).toContain("67108865")
    const events = proxy.events().map((event) => (event.type === "frame error" ? event.reason : event.type))
    expect(events).toContainEqual(expect.stringMatching(/^frame 2: .*67108865/))
    await world.settled(proxy.stop())
  })

  test("84. bytes one at a time and all frames in one write come to the same", async () => {
    const sent = Buffer.from(frames("one", "", "three", "four", "five"))
    const outcomes: Array<unknown> = []
    for (const pieces of [[...sent].map((byte) => Uint8Array.of(byte)), [sent]]) {
      const plan = {
        rules: [
          { match: { index: 3 }, action: "drop" },
          { match: { every: 2 }, action: "duplicate" }
        ]
      }
      const { world, proxy, echoed } = await startIn(setting, { plan })
      const client = await echoed()

      for (const piece of pieces) void client.write(piece)
      await world.settled(client.has(frames("one", "", "", "four", "four", "five").length))

      outcomes.push([client.text(), proxy.forwarded("clientToLeader"), proxy.forwarded("leaderToClient")])
      await world.settled(proxy.stop())
    }

    const received = frames("one", "", "", "four", "four", "five")
    expect(outcomes).toEqual([
      [received, 6, 6],
      [received, 6, 6]
    ])
  })

  test("89. a receiver that does not read stops the sender, and costs no memory; it can be severed all the same", async () => {
    const run = await startIn(setting, { isUpstreamPaused: true })
    const { world, proxy } = run
    const { client, upstream } = await run.through()
    const body = frame(new Uint8Array(1_048_576 - 4))
    let gone = 0
    for (let n = 0; n < 256; n++) {
      void client.write(body).then((problem) => {
        if (problem === null) gone += 1
      })
    }
    await world.quiet()

    const { bytesIn, buffered } = proxy.connections()[0]?.clientToLeader ?? { bytesIn: 0, buffered: 0 }
    expect(gone).toBeLessThan(256)
    expect(bytesIn).toBeLessThan(256 * 1_048_576)
    expect(buffered).toBeGreaterThan(0)
    expect(run.mostBuffered.clientToLeader).toBeLessThan(4 * 1_048_576)
    expect(proxy.severNow()).toBe(1)
    expectMs(setting, await timed(run, over(client)), 0)
    upstream.socket.resume()
    await world.settled(over(upstream))
    expect(proxy.forwarded("clientToLeader")).toBeLessThan(256)
    expect(proxy.connections()[0]?.clientToLeader).toMatchObject({ buffered: 0 })
    await world.settled(proxy.stop())
  })

  test("89. a receiver that reads on gets all of it, in the other direction meanwhile as always", async () => {
    const { world, proxy, through } = await startIn(setting, { isUpstreamPaused: true })
    const { client, upstream } = await through()
    const count = 8
    const body = frame(new Uint8Array(1_048_576 - 4))
    for (let n = 0; n < count; n++) void client.write(body)
    await world.quiet()
    expect(proxy.forwarded("clientToLeader")).toBeLessThan(count)

    void upstream.write(frames("the other way"))
    await world.settled(client.has(frames("the other way").length))
    upstream.socket.resume()
    await world.settled(upstream.has(count * 1_048_576))
    await world.settled(proxy.waitForForwarded("clientToLeader", count))

    expect(client.text()).toBe(frames("the other way"))
    expect(proxy.connections()[0]?.clientToLeader).toMatchObject({ received: count, delivered: count, buffered: 0 })
    await world.settled(proxy.stop())
  })
}
