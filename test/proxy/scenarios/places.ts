import { expect, test } from "vitest"
import { PathTooLong, ProxyBindFailed } from "../../../src/domain/harness-scope-errors.ts"
import type { StreamAddress, StreamPort } from "../../../src/ports/stream-port.ts"
import type { FaultProxy } from "../../../src/proxy/fault-proxy.ts"
import { startFaultProxy } from "../../../src/proxy/start-fault-proxy.ts"
import { connect, listen, right, type StreamWorld } from "../../ports/stream-world.ts"
import { addressOf, frame, frames, over, supervisorOf } from "../proxy-world.ts"
import type { Setting } from "../setting.ts"

/** Scenarios 88 and 91 of agent-harness.md, section 9. */
export const placeScenarios = ({ makeWorld, kinds }: Setting): void => {
  const startBetween = (
    world: StreamWorld,
    addresses: { readonly listen: StreamAddress; readonly upstream: StreamAddress }
  ) => startFaultProxy({ ...world, supervisor: supervisorOf(world).supervisor }, addresses)

  test("88. without an upstream a client is closed and gets nothing; when there is one, the next is served", async () => {
    const world = makeWorld()
    const { streams, settled } = world
    const before = right(await settled(listen(streams, addressOf(world, kinds.upstreamKind))))
    await settled(before.close())
    const proxy = await settled(startBetween(world, { listen: addressOf(world, kinds.kind), upstream: before.address }))

    const refused = right(await settled(connect(streams, proxy.address)))
    await settled(over(refused))
    expect(refused.received()).toBe(0)
    await world.quiet()
    expect(proxy.totals()).toMatchObject({ accepted: 1, upstreamRefused: 1, active: 0, closed: 1 })
    const reasons = proxy.events().map((event) => (event.type === "refused" ? event.reason : null))
    expect(reasons).toContainEqual(
      expect.stringMatching(kinds.upstreamKind === "unix" ? /^missing, .*ENOENT/ : /^refused, .*ECONNREFUSED/)
    )

    const after = right(await settled(listen(streams, before.address)))
    const client = right(await settled(connect(streams, proxy.address)))
    void client.write(frame("there"))
    const upstream = await settled(after.accepted())
    await settled(upstream.has(frame("there").length))
    expect(upstream.text()).toBe(frames("there"))
    expect(proxy.totals()).toMatchObject({ accepted: 2, upstreamRefused: 1, active: 1 })
    await settled(proxy.stop())
    await settled(after.close())
  })

  test("88. what a client sends before there is an upstream is not lost, also where a pause comes too late", async () => {
    const world = makeWorld()
    const { streams, settled } = world
    const served = right(await settled(listen(streams, addressOf(world, kinds.upstreamKind))))
    let hasCome = (): void => {}
    const early = new Promise<void>((resolve) => {
      hasCome = resolve
    })
    /** Sockets that report whatever comes; who connects is let through when something has. */
    const eager: StreamPort = {
      ...streams,
      listen: (address, report) =>
        streams.listen(address, {
          ...report,
          accepted(socket) {
            const told = report.accepted({ ...socket, pause: () => {} })
            return {
              ...told,
              ended() {
                told.ended()
                hasCome()
              }
            }
          }
        }),
      connect(address, report) {
        let giveUp = (): void => {}
        void early.then(() => {
          giveUp = streams.connect(address, report)
        })
        return () => giveUp()
      }
    }
    const proxy = await settled(
      startFaultProxy(
        { ...world, streams: eager, supervisor: supervisorOf(world).supervisor },
        { listen: addressOf(world, kinds.kind), upstream: served.address, plan: { dropFrame: 2 } }
      )
    )
    const client = right(await settled(connect(streams, proxy.address)))

    void client.write(frames("one", "two"))
    void client.write(frames("three"))
    client.socket.end()
    const upstream = await settled(served.accepted())
    await settled(upstream.ended)

    expect(upstream.text()).toBe(frames("one", "three"))
    await settled(proxy.stop())
    await settled(served.close())
  })

  const problemOf = async (world: StreamWorld, starting: Promise<FaultProxy>): Promise<unknown> => {
    try {
      return await world.settled(starting)
    } catch (error) {
      return error
    }
  }

  test("91. a path of 120 bytes is refused before anything is made, on both sides", async () => {
    const world = makeWorld()
    const path = world.freshPath().padEnd(120, "x")
    const short = addressOf(world, "unix")

    for (const addresses of [
      { listen: { kind: "unix", path }, upstream: short },
      { listen: short, upstream: { kind: "unix", path } }
    ] as const) {
      const problem = await problemOf(world, startBetween(world, addresses))

      expect(problem).toBeInstanceOf(PathTooLong)
      expect(String(problem)).toContain("120 bytes")
    }
    expect(world.streams.open()).toEqual({ listeners: 0, connections: 0 })
    expect([path, short.kind === "unix" ? short.path : ""].map(world.isThere)).toEqual([false, false])
  })

  test("91. a file at the path is kept, and a place that is served is not taken", async () => {
    const world = makeWorld()
    const { streams, settled } = world
    const path = world.freshPath()
    world.putFile(path)
    const upstream = addressOf(world, "unix")

    const problem = await problemOf(world, startBetween(world, { listen: { kind: "unix", path }, upstream }))
    expect(problem).toBeInstanceOf(ProxyBindFailed)
    expect(String(problem)).toContain(`${path} is there, and is no socket`)
    expect(world.isThere(path)).toBe(true)

    const served = right(await settled(listen(streams, addressOf(world, kinds.kind))))
    expect(await problemOf(world, startBetween(world, { listen: served.address, upstream }))).toBeInstanceOf(
      ProxyBindFailed
    )
    right(await settled(connect(streams, served.address)))
    await settled(served.close())
  })

  test("91. a socket that nobody serves is replaced", async () => {
    const world = makeWorld()
    const { streams, settled } = world
    const path = world.freshPath()
    await settled(world.putStale(path))
    const served = right(await settled(listen(streams, addressOf(world, kinds.upstreamKind))))

    const proxy = await settled(startBetween(world, { listen: { kind: "unix", path }, upstream: served.address }))

    right(await settled(connect(streams, proxy.address)))
    await settled(served.accepted())
    await settled(proxy.stop())
    expect(world.isThere(path)).toBe(false)
    right(await settled(connect(streams, served.address)))
    await settled(served.close())
  })
}
