import { expect, test } from "vitest"
import { InvalidOption } from "../../../src/domain/errors.ts"
import { ProxyFailed } from "../../../src/domain/harness-scope-errors.ts"
import type { ListenerReport, StreamPort } from "../../../src/ports/stream-port.ts"
import { startFaultProxy } from "../../../src/proxy/start-fault-proxy.ts"
import { connect, listen, right } from "../../ports/stream-world.ts"
import { addressOf, frames, over, supervisorOf } from "../proxy-world.ts"
import { type Setting, startIn } from "../setting.ts"

/** What a proxy says when it cannot. */
export const failureTests = (setting: Setting): void => {
  const { makeWorld, kinds } = setting

  test("when the system takes its listener away, every call says so but the stop; connections go on", async () => {
    const world = makeWorld()
    const { streams, settled } = world
    const served = right(await settled(listen(streams, addressOf(world, kinds.upstreamKind))))
    const reports: Array<ListenerReport> = []
    const losing: StreamPort = {
      ...streams,
      listen(address, report) {
        reports.push(report)
        return streams.listen(address, report)
      }
    }
    const { supervisor } = supervisorOf(world)
    const proxy = await settled(
      startFaultProxy(
        { ...world, streams: losing, supervisor },
        { listen: addressOf(world, kinds.kind), upstream: served.address }
      )
    )
    const client = right(await settled(connect(streams, proxy.address)))
    const upstream = await settled(served.accepted())

    for (const { lost } of reports) lost({ kind: "other", code: "EMFILE", reason: "too many open files" })

    for (const call of [
      proxy.severNow,
      proxy.totals,
      proxy.connections,
      proxy.held,
      proxy.rules,
      proxy.events,
      proxy.recording,
      () => proxy.forwarded("clientToLeader"),
      () => proxy.setPlan({}),
      () => proxy.addRule({ action: "drop" }),
      () => proxy.partition(),
      () => proxy.heal(),
      () => proxy.release("gate"),
      () => proxy.isReleased("gate"),
      () => proxy.vanish(1),
      () => proxy.pause("clientToLeader"),
      () => proxy.resume("clientToLeader")
    ])
      expect(call).toThrow(ProxyFailed)
    expect(proxy.severNow).toThrow(/too many open files/)
    await expect(proxy.waitForConnections(1)).rejects.toBeInstanceOf(ProxyFailed)
    void client.write(frames("goes on"))
    await settled(upstream.has(frames("goes on").length))
    const refused = right(await settled(connect(streams, proxy.address)))
    await settled(over(refused))
    expect(refused.received()).toBe(0)
    await settled(proxy.stop())
    expect(supervisor.alive()).toBe(0)
    await settled(over(client))
  })

  test.each([
    [{ framing: "lines" }, /framing/],
    [{ framing: { type: "lengthPrefixed", prefixBytes: 3 } }, /prefixBytes/],
    [{ seed: -1 }, /seed/],
    [{ seed: 0.5 }, /seed/],
    [{ tail: "keep" }, /tail/],
    [{ record: { bytesMax: -1 } }, /bytesMax/],
    [{ recording: true }, /record/],
    [{ plan: { dropFrame: -1 } }, /dropFrame/],
    [{ plan: { rules: [{ action: "explode" }] } }, /rules\[0\].action/]
  ])("%j is refused, and nothing listens", async (options, message) => {
    const world = makeWorld()
    const listenAt = addressOf(world, "unix")
    const starting: Promise<unknown> = Reflect.apply(startFaultProxy, null, [
      { ...world, supervisor: supervisorOf(world).supervisor },
      { listen: listenAt, upstream: listenAt, ...options }
    ])

    const problem = await world.settled(starting.catch((error: unknown) => error))

    expect(problem).toBeInstanceOf(InvalidOption)
    expect(String(problem)).toMatch(message)
    expect(world.streams.open()).toEqual({ listeners: 0, connections: 0 })
  })

  test("a stopped proxy answers what it knows still, and a second stop is the same", async () => {
    const { world, proxy, through } = await startIn(setting)
    const { client, upstream } = await through()
    void client.write(frames("one"))
    await world.settled(upstream.has(frames("one").length))

    await world.settled(Promise.all([proxy.stop(), proxy.stop(), proxy[Symbol.asyncDispose]()]))

    expect(proxy.totals()).toMatchObject({ accepted: 1, active: 0, closed: 1, severed: 1 })
    expect([proxy.severNow(), proxy.vanish(1), proxy.release("gate"), proxy.held()]).toEqual([0, false, 0, []])
    expect(proxy.connections()[0]?.clientToLeader).toMatchObject({ delivered: 1 })
  })
}
