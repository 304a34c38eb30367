import { expect, test } from "vitest"
import { PathTooLong, ProxyBindFailed } from "../../../src/domain/harness-scope-errors.ts"
import type { StreamAddress } from "../../../src/ports/stream-port.ts"
import { makeControlDesk } from "../../../src/proxy/control/control-desk.ts"
import { requestBytesMax } from "../../../src/proxy/control/control-peer.ts"
import { controlClientsMax, type ProxyControl, startProxyControl } from "../../../src/proxy/control/proxy-control.ts"
import type { StreamWorld, WatchedSocket } from "../../ports/stream-world.ts"
import { answersOf } from "./control-client.ts"
import { startControl } from "./control-world.ts"
import { makeFakeProxy } from "./fake-proxy.ts"

const loopback: StreamAddress = { kind: "tcp", host: "127.0.0.1", port: 0 }

/** What holds of control sockets in both worlds. */
export const controlContract = (make: () => StreamWorld): void => {
  const begin = (options?: { readonly listen?: StreamAddress; readonly events?: number }) =>
    startControl(make(), options)

  test("answers requests in their order, wherever they are cut, with LF and CR LF", async () => {
    const { world, client, lines } = await begin()
    const socket = await client()
    for (const piece of [
      '{"id":1,"comm',
      'and":"held"}\r\n\n{"id":2,"command":"sever"}\n{"id":3,',
      '"command":"stop"}\n'
    ])
      await world.settled(socket.write(piece))

    expect(await lines(socket, 3)).toEqual([
      { id: 1, ok: true, result: { held: [] } },
      { id: 2, ok: true, result: { severed: 2 } },
      { id: 3, ok: true, result: {} }
    ])
  })

  test("listens at a port of loopback too, and carries out stop", async () => {
    const { world, control, client, lines, stops } = await begin({ listen: loopback })
    const socket = await client()
    await world.settled(socket.write('{"command":"stop"}\n'))
    await lines(socket, 1)

    expect(control.address).toMatchObject({ kind: "tcp", host: "127.0.0.1", port: expect.any(Number) })
    expect(stops()).toBe(1)
  })

  test("goes on behind a bad request, and behind one that is too long", async () => {
    const { world, client, lines } = await begin()
    const socket = await client()
    await world.settled(socket.write("sever\n"))
    const long = socket.write(`{"command":"${"x".repeat(2 * requestBytesMax)}"}\n`)
    await world.settled(long)
    await world.settled(socket.write('{"command":"held"}\n'))

    expect((await lines(socket, 3)).map(({ ok, error }) => error ?? ok)).toEqual([
      expect.stringContaining("the request is no JSON"),
      `the request is longer than ${requestBytesMax} bytes; it was passed over`,
      true
    ])
  })

  // Seen to fail when requests are answered however much is unread.
  test("a client that reads no answers is answered no further, until it reads", async () => {
    const { world, client, lines, stops, stopsAre } = await begin({ events: 5_000 })
    const [one, other] = [await client(), await client()]
    one.socket.pause()
    const requests = 40
    const asking = one.write('{"command":"events","last":10000}\n{"command":"stop"}\n'.repeat(requests))
    // Its turn comes again and again, if it ever does.
    for (let turn = 0; turn < 20; turn++) {
      await world.settled(other.write('{"command":"held"}\n'))
      await lines(other, turn + 1)
    }
    const answered = stops()
    expect(answered).toBeLessThan(requests / 2)

    one.socket.resume()
    await world.settled(asking)
    await world.settled(stopsAre(requests))
  })

  test("what HTTP clients send is no request, whatever is behind it", async () => {
    const { world, client, told } = await begin({ listen: loopback })
    const socket = await client()
    await world.settled(socket.write('POST / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n{"command":"sever"}\n'))
    await world.settled(socket.ended)

    expect(answersOf(socket)).toEqual([{ ok: false, error: "this is no HTTP server; send one JSON request a line" }])
    expect(told).toEqual([])
  })

  test("has room for many clients, and tells one too many", async () => {
    const { world, client, lines } = await begin()
    const sockets: Array<WatchedSocket> = []
    for (let place = 0; place < controlClientsMax; place++) sockets.push(await client())
    const last = sockets.at(-1)
    if (last === undefined) throw new Error("there is no client")
    await world.settled(last.write('{"command":"held"}\n'))
    expect(await lines(last, 1)).toMatchObject([{ ok: true }])

    const extra = await client()
    await world.settled(extra.ended)
    expect(answersOf(extra)).toEqual([{ ok: false, error: "64 clients are connected; close one of them" }])
  })

  test("has room again where clients have left", async () => {
    const { world, client, lines } = await begin()
    for (let place = 0; place < 2 * controlClientsMax; place++) {
      const socket = await client()
      await world.settled(socket.write('{"command":"held"}\n'))
      expect(await lines(socket, 1)).toMatchObject([{ ok: true }])
      socket.socket.end()
      await world.settled(socket.closed)
    }
  })

  test("stop lets answers leave, closes every client, and removes the file; twice is once", async () => {
    const { world, control, client, proxy } = await begin()
    const [waiting, stuck] = [await client(), await client()]
    await world.settled(waiting.write('{"command":"held"}\n{"command":"wait held","barrier":"go"}\n'))
    await world.settled(waiting.has(10))
    stuck.socket.pause()

    await proxy.stop()
    const stopping = control.stop()
    expect(control.stop()).toBe(stopping)
    await world.settled(stopping)
    await world.settled(waiting.ended)

    expect(answersOf(waiting)).toMatchObject([{ ok: true }, { ok: false, error: "the proxy was stopped" }])
    expect(control.address.kind === "unix" && world.isThere(control.address.path)).toBe(false)
    expect(world.streams.open().listeners).toBe(0)
    stuck.socket.destroy()
  })

  test("stop does not wait for a client that never reads", async () => {
    const { world, control, client } = await begin({ events: 5_000 })
    const stuck = await client()
    stuck.socket.pause()
    await world.settled(stuck.write('{"command":"events","last":10000}\n'.repeat(20)))

    await world.settled(control.stop())

    expect(world.streams.open().listeners).toBe(0)
    stuck.socket.destroy()
  })

  test("replaces a socket that nobody serves, and touches nothing else", async () => {
    const world = make()
    const { proxy } = makeFakeProxy()
    const at = (path: string): Promise<ProxyControl> =>
      world.settled(
        startProxyControl(world, { listen: { kind: "unix", path }, desk: makeControlDesk(proxy, () => {}) })
      )
    const [stale, file] = [world.freshPath(), world.freshPath()]
    await world.putStale(stale)
    world.putFile(file)

    const control = await at(stale)
    await expect(at(stale)).rejects.toThrow(ProxyBindFailed)
    await expect(at(file)).rejects.toThrow(`cannot listen at unix:${file}: `)
    await expect(at(`/tmp/${"x".repeat(120)}`)).rejects.toThrow(PathTooLong)

    expect(world.isThere(file)).toBe(true)
    await world.settled(control.stop())
    expect(world.isThere(stale)).toBe(false)
  })
}
