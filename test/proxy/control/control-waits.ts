import { expect, test } from "vitest"
import type { StreamAddress } from "../../../src/ports/stream-port.ts"
import { allWaitsMax } from "../../../src/proxy/control/control-desk.ts"
import { waitsMax } from "../../../src/proxy/control/desk-for.ts"
import { controlClientsMax } from "../../../src/proxy/control/proxy-control.ts"
import type { StreamWorld, WatchedSocket } from "../../ports/stream-world.ts"
import { answersOf } from "./control-client.ts"
import { startControl } from "./control-world.ts"

/** What holds of commands that wait, in both worlds. */
export const controlWaits = (make: () => StreamWorld): void => {
  const begin = (options?: { readonly listen?: StreamAddress }) => startControl(make(), options)

  test("answers others while one waits, and the one that waits when it has come", async () => {
    const { world, client, lines, hold } = await begin()
    const [one, other] = [await client(), await client()]
    await world.settled(one.write('{"id":"w","command":"wait held","barrier":"go"}\n{"id":"h","command":"held"}\n'))
    await world.settled(other.write('{"command":"sever"}\n'))
    expect(await lines(other, 1)).toHaveLength(1)
    expect((await lines(one, 1)).map(({ id }) => id)).toEqual(["h"])

    hold({ connection: 1, direction: "clientToLeader", index: 1, barriers: ["go"] })

    expect((await lines(one, 2)).map(({ id }) => id)).toEqual(["h", "w"])
  })

  // Seen to fail when the last line needs its LF, and when the end is answered before what waits.
  test("a client that ends has the answer to its last line, and then the end", async () => {
    const { world, client, hold } = await begin()
    const socket = await client()
    await world.settled(socket.write('{"command":"wait held","barrier":"go"}\n{"command":"held"}'))
    socket.socket.end()
    await world.settled(socket.has(10))
    expect(socket.reports).toEqual([])

    hold({ connection: 1, direction: "clientToLeader", index: 1, barriers: ["go"] })
    await world.settled(socket.closed)

    expect(answersOf(socket)).toHaveLength(2)
    expect(socket.reports).toEqual(["ended", "closed null"])
  })

  test("a client that leaves while a command waits harms nobody", async () => {
    const { world, client, lines, hold } = await begin()
    const [one, other] = [await client(), await client()]
    await world.settled(one.write('{"command":"wait held","barrier":"go"}\n{"command":"held"}\n{"comm'))
    await lines(one, 1)
    one.socket.destroy()
    await world.settled(one.closed)

    hold({ connection: 1, direction: "clientToLeader", index: 1, barriers: ["go"] })
    await world.settled(other.write('{"command":"held"}\n'))

    expect(await lines(other, 1)).toMatchObject([{ ok: true, result: { held: [{ index: 1 }] } }])
  })

  // Seen to fail when what a client waits for is not given up with it.
  test("what a client waits for is given up when it has gone", async () => {
    const { world, client, lines, waits } = await begin({ listen: { kind: "tcp", host: "127.0.0.1", port: 0 } })
    const [one, other] = [await client(), await client()]
    await world.settled(one.write('{"command":"wait held","barrier":"go"}\n{"command":"held"}\n'))
    await lines(one, 1)
    expect(waits()).toBe(1)

    one.socket.reset()
    // It is seen in one of the turns that these take.
    for (let asked = 1; asked <= 100 && waits() > 0; asked++) {
      await world.settled(other.write('{"command":"held"}\n'))
      await lines(other, asked)
    }
    expect(waits()).toBe(0)
  })

  // Seen to fail when it is waited for what cannot come.
  test("who is told to leave gets what has been waited for, and is closed", async () => {
    const { world, client, waits } = await begin()
    const socket = await client()
    await world.settled(socket.write('{"command":"wait held","barrier":"go"}\nPOST / HTTP/1.1\r\n\r\n'))
    await world.settled(socket.ended)

    expect(answersOf(socket)).toEqual([
      { ok: false, error: "this is no HTTP server; send one JSON request a line" },
      { ok: false, error: "it was given up" }
    ])
    expect(waits()).toBe(0)
  })

  // Seen to fail when a client is not read while it waits: its end is never seen.
  test("one wait too many of a client is refused, and the rest is answered", async () => {
    const { world, client, lines, waits } = await begin()
    const socket = await client()
    await world.settled(socket.write('{"command":"wait connections","count":1}\n'.repeat(waitsMax + 1)))
    await world.settled(socket.write('{"id":"behind","command":"held"}\n'))

    expect(await lines(socket, 2)).toEqual([
      {
        ok: false,
        error: `${waitsMax} commands of this client wait already; ask again when some of them are over`
      },
      { id: "behind", ok: true, result: { held: [] } }
    ])
    expect(waits()).toBe(waitsMax)
  })

  // A client that was killed while it waits looks like one that has ended.
  test("of many clients that have ended and wait, the oldest makes room for one more", async () => {
    const { world, client, lines, waits } = await begin()
    const sockets: Array<WatchedSocket> = []
    for (let place = 0; place < controlClientsMax; place++) {
      const socket = await client()
      await world.settled(socket.write('{"command":"held"}\n{"command":"wait held","barrier":"go"}\n'))
      await lines(socket, 1)
      if (place > 0) socket.socket.end()
      sockets.push(socket)
    }
    const [first, second, third] = sockets
    if (first === undefined || second === undefined || third === undefined) throw new Error("there are no clients")
    // What was sent before has been seen when this one is answered.
    await world.settled(first.write('{"command":"held"}\n'))
    await lines(first, 2)

    const extra = await client()
    void extra.write('{"command":"held"}\n')
    expect(await lines(extra, 1)).toMatchObject([{ ok: true }])
    await world.settled(second.closed)

    expect(answersOf(second)[1]).toEqual({
      ok: false,
      error: "the wait was given up: its client had ended, and another one needed the place"
    })
    expect(waits()).toBe(controlClientsMax - 1)
    expect([first, third].map(({ reports }) => reports)).toEqual([[], []])
  })

  // Seen to fail while all waits were taken until their time was over: 16 clients that were killed are enough.
  test("of those that have ended, the oldest gives up its waits where all of them are taken", async () => {
    const { world, client, lines, waits } = await begin()
    const sockets: Array<WatchedSocket> = []
    for (let place = 0; place < allWaitsMax / waitsMax; place++) {
      const socket = await client()
      await world.settled(
        socket.write(`${'{"command":"wait held","barrier":"go"}\n'.repeat(waitsMax)}{"command":"held"}\n`)
      )
      await lines(socket, 1)
      sockets.push(socket)
    }
    const [stays, ends] = sockets
    if (stays === undefined || ends === undefined) throw new Error("there are no clients")
    const other = await client()
    const wait = '{"command":"wait connections","count":1,"id":1}\n'
    await world.settled(other.write(wait))
    expect((await lines(other, 1))[0]?.error).toMatch(/^1024 commands wait already/)

    ends.socket.end()
    // Nobody is told of its end: it has been seen when the wait of another is taken.
    let came = 1
    for (let asked = 2; asked <= 100 && waits() === allWaitsMax; asked++) {
      await world.settled(other.write(wait))
      await world.settled(other.write(`{"command":"held","id":${asked}}\n`))
      // A wait that is refused is answered before.
      while ((await lines(other, came + 1))[came++]?.id !== asked);
    }

    await world.settled(ends.closed)
    expect(answersOf(ends)[1]).toMatchObject({ ok: false, error: expect.stringContaining("needed the place") })
    expect(stays.reports).toEqual([])
    expect(waits()).toBe(allWaitsMax - waitsMax + 1)
  })
}
