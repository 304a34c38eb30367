import { expect, test } from "vitest"
import type { ProxyEvent } from "../../../src/proxy/proxy-event.ts"
import { frame, frames, over } from "../proxy-world.ts"
import { type Setting, startIn } from "../setting.ts"

const told = (event: ProxyEvent): string =>
  event.type === "frame" ? `${event.direction} ${event.index}+${event.frames} ${event.action}` : event.type

/** What a proxy tells of what has been. */
export const recordTests = (setting: Setting): void => {
  test("the log tells of a connection from its beginning to its end, in order", async () => {
    const { world, proxy, through } = await startIn(setting, {
      plan: { rules: [{ id: "lost", match: { index: 2 }, action: "drop" }] }
    })
    const seen: Array<ProxyEvent> = []
    const forget = proxy.watch((event) => seen.push(event))
    const forgetAtOnce = proxy.watch(() => expect.fail("watches no more"))
    forgetAtOnce()
    const { client, upstream } = await through()
    void client.write(frame("one"))
    await world.settled(upstream.has(frames("one").length))
    void client.write(frame("two"))
    client.socket.end()
    await world.settled(upstream.ended)
    upstream.socket.end()
    await world.settled(Promise.all([client.closed, upstream.closed]))
    await world.quiet()

    expect(proxy.events().map(told)).toEqual([
      "listening",
      "accepted",
      "connected",
      "clientToLeader 1+1 forwarded",
      "clientToLeader 2+1 dropped",
      "half-closed",
      "half-closed",
      "closed"
    ])
    expect(seen).toEqual(proxy.events().slice(1))
    expect(proxy.events().find((event) => event.type === "frame" && event.action === "dropped")).toMatchObject({
      connection: 1,
      bytes: frames("two").length,
      rules: ["lost"]
    })
    const times = proxy.events().map(({ at }) => at)
    expect(times).toEqual([...times].sort((one, other) => one - other))
    forget()
    await world.settled(proxy.stop())
    expect(proxy.events().at(-1)?.type).toBe("stopped")
    expect(seen.at(-1)?.type).toBe("closed")
  })

  // Seen to fail when frames that rules have looked at are put together, and when of a frame the last piece alone is told.
  test("frames are told in runs, or each by itself with all its bytes", async () => {
    for (const plan of [{}, { rules: [{ match: { where: { "/none": 1 } }, action: "drop" } as const] }]) {
      const { world, proxy, through } = await startIn(setting, { plan, events: "frames" })
      const { client, upstream } = await through()
      const sent = [frame(""), frame("one"), frame("x".repeat(200_000)), frame("four")]
      void client.write(Buffer.concat(sent))
      await world.settled(upstream.has(sent.reduce((sum, { length }) => sum + length, 0)))

      const told = proxy.events().flatMap((event) => (event.type === "frame" ? [event] : []))
      expect(told.map(({ index, frames, bytes, action }) => [index, frames, bytes, action])).toEqual([
        [1, 1, 4, "forwarded"],
        [2, 1, 7, "forwarded"],
        [3, 1, 200_004, "forwarded"],
        [4, 1, 8, "forwarded"]
      ])
      await world.settled(proxy.stop())
    }
    const { world, proxy, through } = await startIn(setting)
    const { client, upstream } = await through()
    void client.write(Buffer.concat([frame("one"), frame("two")]))
    await world.settled(upstream.has(14))
    const frames = proxy.events().flatMap((event) => (event.type === "frame" ? [event.frames] : []))
    expect(frames.reduce((sum, count) => sum + count, 0)).toBe(2)
    await world.settled(proxy.stop())
  })

  test("what a rule has changed, and what will not go because its connection was cut, is told", async () => {
    const { world, proxy, through } = await startIn(setting, {
      plan: {
        rules: [
          { id: "other", match: { index: 1 }, action: { type: "corrupt", offset: 4, xor: 1 } },
          { id: "same", match: { index: 2 }, action: { type: "badLength", value: 3 } },
          { id: "later", match: { index: 3 }, action: { type: "hold", barrier: "go" } }
        ]
      }
    })
    const { client, upstream } = await through()
    void client.write(Buffer.concat(["one", "two", "three", "four"].map((text) => frame(text))))
    await world.settled(proxy.waitForHeld("go"))
    await world.settled(upstream.has(14))
    proxy.severNow()
    await world.settled(Promise.all([over(client), over(upstream)]))

    const told = proxy.events().flatMap((event) => (event.type === "frame" ? [event] : []))
    expect(told.map(({ index, action, rules }) => [index, action, ...rules])).toEqual([
      [1, "changed", "other"],
      [1, "forwarded", "other"],
      [2, "forwarded", "same"],
      [3, "held", "later"],
      [3, "discarded", "later"]
    ])
    expect(proxy.connections()).toMatchObject([{ clientToLeader: { received: 3, delivered: 2, discarded: 1 } }])
    await world.settled(proxy.stop())
  })

  test("what the test does is told before what comes of it", async () => {
    const { world, proxy, through } = await startIn(setting, {
      plan: { rules: [{ match: { index: 1 }, action: { type: "hold", barrier: "go" } }] }
    })
    const { client, upstream } = await through()
    void client.write(frame("one"))
    await world.settled(proxy.waitForHeld("go"))
    proxy.partition("u2c")
    proxy.release("go")
    proxy.release("go")
    await world.settled(upstream.has(frames("one").length))
    proxy.heal()
    proxy.pause("c2u", 1)
    proxy.resume("c2u")
    proxy.vanish(1)

    const told = proxy.events().map(({ at: _, ...event }) => event)
    expect(told.slice(3)).toMatchObject([
      { type: "frame", action: "held" },
      { type: "partitioned", directions: ["leaderToClient"] },
      { type: "released", barrier: "go" },
      { type: "frame", action: "forwarded" },
      { type: "healed", directions: ["clientToLeader", "leaderToClient"] },
      { type: "paused", direction: "clientToLeader", connection: 1 },
      { type: "resumed", direction: "clientToLeader", connection: null },
      { type: "vanished", connection: 1 }
    ])
    await world.settled(proxy.stop())
  })

  // Seen to fail while neither was told.
  test("a frame that waits for one that is severed, and one at which a rule has failed, are discarded", async () => {
    const fail = (): never => {
      throw new Error("no")
    }
    const { world, proxy, through } = await startIn(setting, {
      plan: {
        rules: [
          { id: "wait", connection: 1, match: { index: 1 }, action: "reorder" },
          { id: "cut", connection: 1, match: { index: 2 }, action: { type: "sever", afterBytes: 0 } },
          { id: "bad", connection: 2, match: { index: 2, test: fail }, action: "drop" }
        ]
      }
    })
    for (const { client, upstream } of [await through(), await through()]) {
      void client.write(frames("1", "2"))
      await world.settled(Promise.all([over(client), over(upstream)]))
    }

    const told = proxy.events().flatMap((event) => (event.type === "frame" ? [event] : []))
    expect(told.map(({ connection, index, action, bytes }) => [connection, index, action, bytes])).toEqual([
      [1, 1, "postponed", 5],
      [1, 1, "discarded", 5],
      [1, 2, "severed", 5],
      [2, 1, "forwarded", 5],
      [2, 2, "discarded", 5]
    ])
    await world.settled(proxy.stop())
  })

  // Seen to fail while copies of buffers of Node were views of the same memory: the corrupted frame was recorded.
  test("frames are recorded as they came, tails too; faults change nothing about that", async () => {
    const { world, proxy, through } = await startIn(setting, {
      record: true,
      plan: {
        rules: [
          { match: { index: 1 }, action: "drop" },
          { match: { index: 2 }, action: { type: "corrupt", offset: 4, xor: 1 } }
        ]
      }
    })
    const { client, upstream } = await through()
    void client.write(Buffer.concat([frame("lost"), frame("kept"), new Uint8Array([0, 0])]))
    client.socket.end()
    await world.settled(over(upstream))
    void upstream.write(frame("back"))
    upstream.socket.end()
    await world.settled(client.closed)

    const { frames: kept, missed } = proxy.recording() ?? { frames: [], missed: -1 }
    const shown = kept.map(({ direction, index, headerBytes, bytes, connection }) => [
      connection,
      direction,
      index,
      headerBytes,
      Buffer.from(bytes).toString()
    ])
    expect(shown).toEqual([
      [1, "clientToLeader", 1, 4, frames("lost")],
      [1, "clientToLeader", 2, 4, frames("kept")],
      [1, "clientToLeader", null, 0, "\0\0"],
      [1, "leaderToClient", 1, 4, frames("back")]
    ])
    expect(missed).toBe(0)
    await world.settled(proxy.stop())
    expect(proxy.recording()?.frames).toHaveLength(4)
  })

  test("what has no room in the recording is counted, and nothing is recorded unless it is wanted", async () => {
    const { world, proxy, through } = await startIn(setting, { record: { bytesMax: 300 } })
    const { client, upstream } = await through()
    void client.write(frames("1", "2", "3", "4"))
    await world.settled(upstream.has(frames("1", "2", "3", "4").length))

    expect(proxy.recording()).toMatchObject({ frames: [{ index: 1 }, { index: 2 }], missed: 2 })
    await world.settled(proxy.stop())
    const plain = await startIn(setting)
    expect(plain.proxy.recording()).toBeNull()
    await plain.world.settled(plain.proxy.stop())
  })
}
