import { expect, test } from "vitest"
import { acceptsConnection, type StreamAddress } from "../../src/ports/stream-port.ts"
import { connect, listen, right, type StreamWorld, type WatchedListener, type WatchedSocket } from "./stream-world.ts"

/** What holds of the sockets of both worlds. */
export const streamContract = (makeWorld: () => StreamWorld): void => {
  const unixAt = (path: string): StreamAddress => ({ kind: "unix", path })
  const tcp: StreamAddress = { kind: "tcp", host: "127.0.0.1", port: 0 }

  interface Pair {
    readonly world: StreamWorld
    readonly near: WatchedSocket
    readonly far: WatchedSocket
    readonly served: WatchedListener
  }
  const pairAt = async (kind: "unix" | "tcp", options?: { readonly isPaused: boolean }): Promise<Pair> => {
    const world = makeWorld()
    const address = kind === "tcp" ? tcp : unixAt(world.freshPath())
    const served = right(await world.settled(listen(world.streams, address, options)))
    const near = right(await world.settled(connect(world.streams, served.address)))
    const far = await world.settled(served.accepted())
    return { world, near, far, served }
  }

  test.each(["unix", "tcp"] as const)("bytes go both ways over %s, in order", async (kind) => {
    const { world, near, far } = await pairAt(kind)
    const long = "x".repeat(200_000)

    const wrote = Promise.all([near.write("one "), near.write(long), near.write(" end"), far.write("answer")])

    expect(await world.settled(wrote)).toEqual([null, null, null, null])
    await world.settled(far.has(long.length + 8))
    await world.settled(near.has(6))
    expect(far.text()).toBe(`one ${long} end`)
    expect(near.text()).toBe("answer")
  })

  test.each(["unix", "tcp"] as const)(
    "one direction of %s ends, and the other goes on until it ends too",
    async (kind) => {
      const { world, near, far } = await pairAt(kind)
      near.write("last words")
      near.socket.end()
      await world.settled(far.ended)
      expect(far.text()).toBe("last words")

      await world.settled(far.write("answer"))
      far.socket.end()

      expect(await world.settled(Promise.all([near.closed, far.closed]))).toEqual([null, null])
      expect(near.text()).toBe("answer")
      expect([near.reports, far.reports]).toEqual([
        ["ended", "closed null"],
        ["ended", "closed null"]
      ])
      expect(await world.settled(near.write("too late"))).toBe("closed")
    }
  )

  test("what is written behind an end is refused", async () => {
    const { world, near } = await pairAt("unix")
    near.socket.end()

    expect(await world.settled(near.write("more"))).toBe("ended")
  })

  test("a sender waits while the other side does not read, and the other direction goes on", async () => {
    const { world, near, far } = await pairAt("unix", { isPaused: true })
    let hasLeft = false
    const bytes = 8 * 1_024 * 1_024
    const sent = near.write(new Uint8Array(bytes)).then(() => {
      hasLeft = true
    })
    await world.settled(far.write("meanwhile"))
    await world.settled(near.has(9))
    expect(hasLeft).toBe(false)

    far.socket.resume()

    await world.settled(sent)
    await world.settled(far.has(bytes))
    expect(far.received()).toBe(bytes)
  })

  // Planted: a write is told of some time after its last bytes have gone.
  test.each(["unix", "tcp"] as const)(
    "who waits for a write over %s knows that it has left before anybody has read its end",
    async (kind) => {
      const { world, near, far } = await pairAt(kind, { isPaused: true })
      const bytes = 8 * 1_024 * 1_024
      const order: Array<string> = []
      let read = 0
      far.heard((chunk) => {
        read += chunk.length
        if (read === bytes) order.push("read")
      })
      expect(near.socket.write(new Uint8Array(bytes), () => order.push("left"))).toBe(false)

      far.socket.resume()
      await world.settled(far.has(bytes))
      await world.settled(near.write(""))

      expect(order).toEqual(["left", "read"])
    }
  )

  // Planted: nothing ever waits; everything does; a write to a socket that is gone has left.
  test.each(["unix", "tcp"] as const)("a write over %s waits only when there is no room for it", async (kind) => {
    const { world, near, far } = await pairAt(kind, { isPaused: true })
    const done: Array<string | null> = []
    const write = (bytes: number): boolean => near.socket.write(new Uint8Array(bytes), (problem) => done.push(problem))

    expect(write(10)).toBe(true)
    expect(write(8 * 1_024 * 1_024)).toBe(false)
    expect(write(10)).toBe(false)
    far.socket.resume()
    await world.settled(near.write("last"))

    expect(done).toEqual([null, null, null])
    expect(write(10)).toBe(true)
    near.socket.destroy()
    expect(write(10)).toBe(false)
  })

  test.each(["unix", "tcp"] as const)(
    "one side of %s is destroyed: the other sees an end, and its writes fail",
    async (kind) => {
      const { world, near, far } = await pairAt(kind)

      near.socket.destroy()

      expect(await world.settled(near.closed)).toBeNull()
      await world.settled(far.ended)
      let problem: string | null = null
      while (problem === null) problem = await world.settled(far.write("anybody?"))
      expect(problem).toMatch(/EPIPE|ECONNRESET|closed/)
      expect(await world.settled(far.closed)).toMatch(/EPIPE|ECONNRESET/)
      expect(near.reports).toEqual(["closed null"])
      expect(world.streams.open().connections).toBe(0)
    }
  )

  test("a write that waits when its socket is destroyed is told so, before the end", async () => {
    const { world, near } = await pairAt("unix", { isPaused: true })
    const order: Array<string> = []
    near.write(new Uint8Array(8 * 1_024 * 1_024)).then((problem) => order.push(`write ${problem}`))
    near.closed.then(() => order.push("closed"))

    near.socket.destroy()

    await world.settled(near.closed)
    await world.settled(near.write("x"))
    expect(order.sort()).toEqual(["closed", "write closed"])
  })

  test("a reset of a port is seen as one", async () => {
    const { world, near, far } = await pairAt("tcp")

    near.socket.reset()

    expect(await world.settled(far.closed)).toBe("ECONNRESET")
    expect(await world.settled(near.closed)).toBeNull()
    expect(far.reports).toEqual(["closed ECONNRESET"])
  })

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
