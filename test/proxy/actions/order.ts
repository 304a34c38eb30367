import { expect, test } from "vitest"
import { frames, over } from "../proxy-world.ts"
import { type Setting, startIn } from "../setting.ts"

/** What changes how many frames there are, and which comes first. */
export const orderActions = (setting: Setting): void => {
  /** What comes of these frames behind a plan, up to the end. */
  const passed = async (rules: ReadonlyArray<unknown>, texts: ReadonlyArray<string>): Promise<string> => {
    const { world, proxy, through } = await startIn(setting, { plan: { rules } })
    const { client, upstream } = await through()
    void client.write(frames(...texts))
    client.socket.end()
    await world.settled(over(upstream))
    await world.settled(proxy.stop())
    const { received, dropped, severed, delivered, discarded } = proxy.connections()[0]?.clientToLeader ?? {}
    expect(received).toBe((dropped ?? 0) + (severed ?? 0) + (delivered ?? 0) + (discarded ?? 0))
    return upstream.text()
  }

  test("reorder: a frame comes behind the next one", async () => {
    const rules = [{ match: { index: 2 }, action: "reorder" }]

    expect(await passed(rules, ["1", "2", "3", "4"])).toBe(frames("1", "3", "2", "4"))
  })

  test("reorder: one that waits for a frame which does not come is the last one", async () => {
    expect(await passed([{ match: { index: 2 }, action: "reorder" }], ["1", "2"])).toBe(frames("1", "2"))
    // The third waits again, as nobody waits for it.
    expect(await passed([{ action: "reorder" }], ["1", "2", "3"])).toBe(frames("2", "1", "3"))
  })

  test("reorder: behind a dropped frame it takes its place, behind a severed one it never comes", async () => {
    const rules = [{ match: { index: 1 }, action: "reorder" }]

    expect(await passed([...rules, { match: { index: 2 }, action: "drop" }], ["1", "2", "3"])).toBe(frames("1", "3"))
    expect(await passed([...rules, { match: { index: 2 }, action: "sever" }], ["1", "2", "3"])).toBe("\0\0")
  })

  test("reorder: one that waits for a frame which cannot be read is delivered before the end", async () => {
    const { world, proxy, through } = await startIn(setting, { plan: { rules: [{ action: "reorder" }] } })
    const { client, upstream } = await through()

    void client.write(Buffer.concat([Buffer.from(frames("1")), Uint8Array.of(255, 0, 0, 0, 0)]))
    await world.settled(Promise.all([over(client), over(upstream)]))

    expect(upstream.text()).toBe(frames("1"))
    expect(proxy.totals()).toMatchObject({ frameErrors: 1, severed: 1 })
    await world.settled(proxy.stop())
  })

  test("reorder: a frame that waits is kept, and told of", async () => {
    const { world, proxy, through } = await startIn(setting, {
      plan: { rules: [{ match: { index: 1 }, action: "reorder" }] }
    })
    const { client, upstream } = await through()

    void client.write(frames("first"))
    await world.quiet()
    expect(upstream.received()).toBe(0)
    expect(proxy.connections()[0]?.clientToLeader.buffered).toBe(frames("first").length)
    void client.write(frames("second"))
    await world.settled(upstream.has(frames("first", "second").length))

    expect(upstream.text()).toBe(frames("second", "first"))
    const actions = proxy
      .events()
      .flatMap((event) => (event.type === "frame" ? [`${event.index} ${event.action}`] : []))
    expect(actions).toEqual(["1 postponed", "2 forwarded", "1 forwarded"])
    await world.settled(proxy.stop())
  })

  test("duplicate: so many copies, one behind the other, of which each counts", async () => {
    const { world, proxy, through } = await startIn(setting, {
      plan: { rules: [{ match: { index: 1 }, action: { type: "duplicate", copies: 40 } }] }
    })
    const { client, upstream } = await through()

    void client.write(frames("again", "once"))
    const all = frames(...Array.from({ length: 40 }, () => "again"), "once")
    await world.settled(upstream.has(all.length))

    expect([upstream.text(), proxy.forwarded("clientToLeader")]).toEqual([all, 41])
    expect(proxy.connections()[0]?.clientToLeader).toMatchObject({ received: 2, delivered: 2, forwarded: 41 })
    await world.settled(proxy.stop())
  })

  test("duplicate: copies that wait for their receiver are kept once", async () => {
    const { world, proxy, through } = await startIn(setting, {
      isUpstreamPaused: true,
      plan: { rules: [{ match: { index: 1 }, action: { type: "duplicate", copies: 1_000 } }] }
    })
    const { client, upstream } = await through()
    const text = "x".repeat(65_536)

    void client.write(frames(text))
    await world.quiet()

    expect(proxy.connections()[0]?.clientToLeader).toMatchObject({ buffered: text.length + 4, delivered: 0 })
    expect(proxy.severNow()).toBe(1)
    upstream.socket.resume()
    await world.settled(Promise.all([over(client), over(upstream)]))
    expect(proxy.connections()[0]?.clientToLeader).toMatchObject({ received: 1, discarded: 1, buffered: 0 })
    await world.settled(proxy.stop())
  })

  test("inject: bytes before and behind all copies, which are no frames", async () => {
    const rules = [
      { match: { index: 2 }, action: "duplicate" },
      { match: { index: 2 }, action: { type: "inject", bytes: { text: "<" }, at: "before" } },
      { match: { index: 2 }, action: { type: "inject", bytes: { hex: "3e3e" } } }
    ]

    expect(await passed(rules, ["1", "2", "3"])).toBe(`${frames("1")}<${frames("2", "2")}>>${frames("3")}`)
  })

  test("inject: counted as bytes that went out, and not as frames", async () => {
    const { world, proxy, through } = await startIn(setting, {
      plan: { rules: [{ match: { index: 1 }, action: { type: "inject", bytes: new Uint8Array([7, 8]) } }] }
    })
    const { client, upstream } = await through()

    void client.write(frames("one"))
    await world.settled(upstream.has(frames("one").length + 2))

    const { bytesIn, bytesOut, forwarded } = proxy.connections()[0]?.clientToLeader ?? {}
    expect([bytesIn, bytesOut, forwarded]).toEqual([7, 9, 1])
    await world.settled(proxy.stop())
  })

  test("drop: every third frame, a range, one in which a byte stands, at most twice", async () => {
    const texts = ["1", "2", "3", "4", "5", "6", "7"]

    expect(await passed([{ match: { every: 3 }, action: "drop" }], texts)).toBe(frames("1", "2", "4", "5", "7"))
    expect(await passed([{ match: { range: { from: 3, to: 6 } }, action: "drop" }], texts)).toBe(frames("1", "2", "7"))
    expect(await passed([{ match: { byteOffset: 7 }, action: "drop" }], texts)).toBe(
      frames(...texts.filter((text) => text !== "2"))
    )
    expect(await passed([{ action: "drop", times: 2 }], texts)).toBe(frames(...texts.slice(2)))
    expect(await passed([{ direction: "both", match: { index: 1 }, action: "drop" }], texts)).toBe(
      frames(...texts.slice(1))
    )
  })

  test("drop by chance: the same frames for a seed, others for another", async () => {
    const texts = Array.from({ length: 64 }, (_, place) => String(place))
    const left = async (seed: number): Promise<string> => {
      const { world, proxy, through } = await startIn(setting, {
        seed,
        plan: { rules: [{ match: { probability: 0.5 }, action: "drop" }] }
      })
      const { client, upstream } = await through()
      void client.write(frames(...texts))
      client.socket.end()
      await world.settled(upstream.ended)
      await world.settled(proxy.stop())
      return upstream.text()
    }

    const first = await left(5)
    expect(await left(5)).toBe(first)
    expect(await left(6)).not.toBe(first)
    expect(first.length).toBeLessThan(frames(...texts).length)
  })
}
