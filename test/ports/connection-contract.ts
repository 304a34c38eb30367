import { expect, test } from "vitest"
import { pairIn, type StreamWorld } from "./stream-world.ts"

/** What holds of connections in both worlds. */
export const connectionContract = (makeWorld: () => StreamWorld): void => {
  const pairAt = (kind: "unix" | "tcp", options?: { readonly isPaused: boolean }) => pairIn(makeWorld, kind, options)

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

  // Planted: Unix sockets that know resets.
  test("a Unix socket that is reset is destroyed", async () => {
    const { world, near, far } = await pairAt("unix")

    near.socket.reset()

    expect(await world.settled(near.closed)).toBeNull()
    await world.settled(far.ended)
    expect(far.reports).toEqual(["ended"])
  })

  test("a reset does not wait for what is to be sent", async () => {
    const { world, near, far } = await pairAt("tcp", { isPaused: true })
    const sent = near.write(new Uint8Array(8 * 1_024 * 1_024))

    near.socket.reset()

    expect(await world.settled(near.closed)).toBeNull()
    expect(await world.settled(sent)).toBe("closed")
    far.socket.resume()
    await world.settled(Promise.race([far.closed, far.ended]))
  })

  // Planted: a reset that does not wait for the end, which Node refuses.
  test("a reset comes also behind an end", async () => {
    const { world, near, far } = await pairAt("tcp")

    near.socket.end()
    near.socket.reset()

    expect(await world.settled(near.closed)).toBeNull()
    await world.settled(Promise.race([far.closed, far.ended]))
  })
}
