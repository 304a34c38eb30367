import { expect, test } from "vitest"
import type { ConnectReport, ListenerReport, StreamPort } from "../../../src/ports/stream-port.ts"
import type { FaultProxy } from "../../../src/proxy/fault-proxy.ts"
import { startFaultProxy } from "../../../src/proxy/start-fault-proxy.ts"
import { connect, right, type StreamWorld, type WatchedSocket } from "../../ports/stream-world.ts"
import { addressOf, frames, over, supervisorOf } from "../proxy-world.ts"
import { type Setting, startIn, timed } from "../setting.ts"

/** An upstream that answers nobody, as long as nobody says more. */
interface Silent {
  readonly world: StreamWorld
  readonly proxy: FaultProxy
  readonly supervisor: ReturnType<typeof supervisorOf>["supervisor"]
  readonly asked: ReadonlyArray<ConnectReport>
  readonly listening: ReadonlyArray<ListenerReport>
  /** How many of those that asked have given up. */
  readonly givenUp: () => number
  readonly client: () => Promise<WatchedSocket>
}

const silent = async ({ makeWorld, kinds }: Setting): Promise<Silent> => {
  const world = makeWorld()
  const { streams, settled } = world
  const asked: Array<ConnectReport> = []
  const listening: Array<ListenerReport> = []
  let givenUp = 0
  const unanswered: StreamPort = {
    ...streams,
    listen(address, report) {
      listening.push(report)
      return streams.listen(address, report)
    },
    connect(_, report) {
      asked.push(report)
      return () => {
        givenUp += 1
      }
    }
  }
  const { supervisor } = supervisorOf(world)
  const proxy = await settled(
    startFaultProxy(
      { ...world, streams: unanswered, supervisor },
      { listen: addressOf(world, kinds.kind), upstream: { kind: "unix", path: world.freshPath() } }
    )
  )
  return {
    world,
    proxy,
    supervisor,
    asked,
    listening,
    givenUp: () => givenUp,
    client: async () => right(await settled(connect(streams, proxy.address)))
  }
}

/** Connections that come to nothing, and peers that break off. */
export const connectingTests = (setting: Setting): void => {
  test("an upstream that does not answer has five seconds for each client, one beside the other", async () => {
    // Nobody waits so long on real sockets.
    if (setting.time === "unknown") return
    const { world, proxy, givenUp, client } = await silent(setting)
    const clients = [await client(), await client()]

    const tookMs = await timed({ world }, Promise.all(clients.map(over)))

    // In other worlds the second has come a little later than the first.
    if (setting.time === "exact") expect(tookMs).toBe(5_000)
    expect(tookMs).toBeLessThan(10_000)
    expect(clients.map(({ received }) => received())).toEqual([0, 0])
    await world.quiet()
    expect([givenUp(), proxy.totals()]).toMatchObject([2, { accepted: 2, upstreamRefused: 2, closed: 2, severed: 0 }])
    await world.settled(proxy.stop())
  })

  test("who is connecting is severed, leaves or is stopped, and the connect is given up", async () => {
    const { world, proxy, supervisor, givenUp, client } = await silent(setting)
    const clients = [await client(), await client(), await client()]
    await world.settled(proxy.waitForConnections(3))

    expect(proxy.severConnection(1)).toBe(true)
    await world.settled(over(clients[0] ?? fail()))
    expect(givenUp()).toBe(1)
    clients[1]?.socket.reset()
    await world.quiet()
    await world.settled(proxy.stop())

    expect([givenUp(), supervisor.alive()]).toEqual([3, 0])
    expect(proxy.totals()).toMatchObject({ accepted: 3, active: 0, closed: 3, upstreamRefused: 0 })
    expect(world.streams.open().listeners).toBe(0)
  })

  test("who comes while the proxy stops, or behind that, is closed", async () => {
    const { world, proxy, listening } = await silent(setting)
    let destroyed = 0
    const late = { write: () => false, end() {}, destroy: () => (destroyed += 1), reset() {}, pause() {}, resume() {} }
    const come = (): void => {
      for (const { accepted } of listening) accepted(late)
    }

    const stopping = proxy.stop()
    come()
    expect(destroyed).toBe(1)
    await world.settled(stopping)
    come()

    expect([destroyed, proxy.totals().accepted]).toEqual([2, 0])
  })

  test.each(["client", "upstream"] as const)("a %s that breaks off takes the other side with it", async (name) => {
    const { world, proxy, through } = await startIn(setting)
    const both = await through()
    const other = both[name === "client" ? "upstream" : "client"]
    void both.client.write(frames("one"))
    await world.settled(both.upstream.has(frames("one").length))
    const { kind, upstreamKind } = setting.kinds
    const isPort = (name === "client" ? kind : upstreamKind) === "tcp"

    both[name].socket.reset()
    await world.settled(over(other))
    await world.quiet()

    // A Unix socket that is closed hard is seen to end, and the other direction goes on.
    expect(proxy.totals()).toMatchObject(isPort ? { active: 0, severed: 1, closed: 1 } : { active: 1, severed: 0 })
    const reasons = proxy.events().flatMap((event) => (event.type === "severed" ? [event.reason] : []))
    expect(reasons).toEqual(isPort ? [expect.stringContaining("ECONNRESET")] : [])
    await world.settled(proxy.stop())
  })
}

const fail = (): never => {
  throw new Error("there are three")
}
