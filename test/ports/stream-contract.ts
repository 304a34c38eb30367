import { expect, test } from "vitest"
import { acceptsConnection, type StreamAddress } from "../../src/ports/stream-port.ts"
import { connectionContract } from "./connection-contract.ts"
import { connect, listen, pairIn, right, type StreamWorld } from "./stream-world.ts"

/** What holds of the sockets of both worlds: their connections, and where one listens. */
export const streamContract = (makeWorld: () => StreamWorld): void => {
  connectionContract(makeWorld)

  const unixAt = (path: string): StreamAddress => ({ kind: "unix", path })
  const tcp: StreamAddress = { kind: "tcp", host: "127.0.0.1", port: 0 }

  const pairAt = (kind: "unix" | "tcp", options?: { readonly isPaused: boolean }) => pairIn(makeWorld, kind, options)

  test("the file of a socket is there while somebody listens, and gone when that is closed", async () => {
    const world = makeWorld()
    const path = world.freshPath()
    const served = right(await world.settled(listen(world.streams, unixAt(path))))
    expect(world.isThere(path)).toBe(true)
    const near = right(await world.settled(connect(world.streams, unixAt(path))))
    const far = await world.settled(served.accepted())

    await world.settled(served.close())

    expect(world.isThere(path)).toBe(false)
    expect(await world.settled(connect(world.streams, unixAt(path)))).toMatchObject({ kind: "missing", code: "ENOENT" })
    expect(world.streams.open()).toEqual({ listeners: 0, connections: 2 })
    // A connection that it had accepted goes on.
    await world.settled(near.write("still here"))
    await world.settled(far.has(10))
    await world.settled(served.close())
  })

  test("a listener that is closed at once reports nothing, and leaves nothing", async () => {
    const world = makeWorld()
    const path = world.freshPath()
    const told: Array<string> = []
    for (const address of [unixAt(path), tcp, { kind: "tcp", host: "localhost", port: 0 } as const]) {
      const listener = world.streams.listen(address, {
        bound: () => told.push("bound"),
        failed: () => told.push("failed"),
        accepted: () => ({ received() {}, ended() {}, closed() {} }),
        lost: () => told.push("lost")
      })
      await world.settled(new Promise<void>((resolve) => listener.close(resolve)))
    }

    expect(told).toEqual([])
    expect(world.isThere(path)).toBe(false)
    expect(world.streams.open()).toEqual({ listeners: 0, connections: 0 })
  })

  test("a path that somebody serves is not taken from them", async () => {
    const { world, near, far, served } = await pairAt("unix")

    expect(await world.settled(listen(world.streams, served.address))).toMatchObject({ kind: "in use" })

    await world.settled(near.write("unharmed"))
    await world.settled(far.has(8))
    expect(right(await world.settled(connect(world.streams, served.address))).received()).toBe(0)
  })

  test("a socket that nobody serves is replaced, and a file that is none is not touched", async () => {
    const world = makeWorld()
    const [stale, file] = [world.freshPath(), world.freshPath()]
    await world.putStale(stale)
    world.putFile(file)
    expect(await world.settled(connect(world.streams, unixAt(stale)))).toMatchObject({ kind: "refused" })

    expect(right(await world.settled(listen(world.streams, unixAt(stale)))).address).toEqual(unixAt(stale))
    expect(await world.settled(listen(world.streams, unixAt(file)))).toMatchObject({ kind: "no socket" })

    right(await world.settled(connect(world.streams, unixAt(stale))))
    expect(world.isThere(file)).toBe(true)
    expect(await world.settled(connect(world.streams, unixAt(file)))).toMatchObject({ kind: "refused" })
  })

  test("a path that is too long is refused by both, whatever bytes its characters have", async () => {
    const world = makeWorld()
    const limit = world.streams.pathBytesMax
    const tooLong = { kind: "path too long", bytes: limit + 1, limit }
    const longest = unixAt(`/${"n".repeat(limit - 1)}`)
    const longer = unixAt(`/${"n".repeat(limit - 2)}é`)

    expect(await world.settled(listen(world.streams, longer))).toMatchObject(tooLong)
    expect(await world.settled(connect(world.streams, longer))).toMatchObject(tooLong)
    expect(await world.settled(connect(world.streams, longest))).toMatchObject({ kind: "missing" })
  })

  test("what is no loopback address is refused by both", async () => {
    const world = makeWorld()
    const elsewhere: StreamAddress = { kind: "tcp", host: "192.0.2.1", port: 80 }

    expect(await world.settled(listen(world.streams, elsewhere))).toMatchObject({ kind: "not allowed" })
    expect(await world.settled(connect(world.streams, elsewhere))).toMatchObject({ kind: "not allowed" })
  })

  test("a port is served once, and refuses when it is not", async () => {
    const world = makeWorld()
    const served = right(await world.settled(listen(world.streams, tcp)))
    expect(served.address).toMatchObject({ kind: "tcp", host: "127.0.0.1", port: expect.any(Number) })
    expect(served.address).not.toEqual(tcp)

    expect(await world.settled(listen(world.streams, served.address))).toMatchObject({ kind: "in use" })
    await world.settled(served.close())

    expect(await world.settled(connect(world.streams, served.address))).toMatchObject({ kind: "refused" })
  })

  test("who gives up a connect hears no more of it", async () => {
    const { world, served } = await pairAt("unix")
    const told: Array<string> = []
    const giveUp = world.streams.connect(served.address, {
      opened: () => {
        told.push("opened")
        return { received() {}, ended() {}, closed() {} }
      },
      failed: () => told.push("failed")
    })

    giveUp()

    await world.settled(listen(world.streams, served.address))
    right(await world.settled(connect(world.streams, served.address)))
    expect(told).toEqual([])
  })

  test("whether somebody accepts connections can be asked, and leaves nothing behind", async () => {
    const world = makeWorld()
    const address = unixAt(world.freshPath())
    const accepts = () =>
      world.settled(new Promise<boolean>((resolve) => acceptsConnection(world.streams, address, resolve)))
    expect(await accepts()).toBe(false)
    const served = right(await world.settled(listen(world.streams, address)))

    expect(await accepts()).toBe(true)

    const asked = await world.settled(served.accepted())
    await world.settled(asked.ended)
    asked.socket.end()
    await world.settled(asked.closed)
    expect(world.streams.open()).toEqual({ listeners: 1, connections: 0 })
  })
}
