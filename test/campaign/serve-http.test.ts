import { createServer, type Server } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { Socket } from "node:net"
import { Agent, type buildConnector, request } from "undici"
import { expect, test } from "vitest"
import { type SimWorld, withSim } from "../../src/sim.ts"

const echo = () =>
  createServer((incoming, response) => {
    incoming.setEncoding("utf8")
    let text = ""
    incoming.on("data", (piece: string) => {
      text += piece
    })
    incoming.on("end", () => response.end(`${incoming.method} ${text}`))
  })

const closed = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => server.close((error) => (error === undefined ? resolve() : reject(error))))

const post = async (sim: SimWorld, origin: string, body: string): Promise<string> => {
  const dispatcher = new Agent({ connect: sim.connector<buildConnector.connector>("ann") })
  const { body: answer, headers } = await request(`${origin}/`, { method: "POST", body, dispatcher })
  const text = await answer.text()
  await dispatcher.close()
  return `${text}, ${Object.keys(headers).sort().join(" ")}`
}

test("a server of node:http is reached over simulated sockets, cut into small pieces, with no date of the real world", async () => {
  const told = await withSim({ seed: 4, network: { segmentBytesMax: 3 } }, async (sim) =>
    post(sim, await sim.serve(echo()), "Ahoy")
  )

  expect(told).toBe("POST Ahoy, connection content-length keep-alive")
})

// Seen to hang.
test("a server that is closed before it listens is told as that, and can be served again", async () => {
  const told = await withSim({}, async (sim) => {
    const server = echo()
    const served = sim.serve(server).catch((error: Error) => error.message)
    await closed(server)
    return [await served, server.listening, await post(sim, await sim.serve(server), "again")]
  })

  expect(told).toEqual([
    "the server given to sim.serve was closed before it listened",
    false,
    "POST again, connection content-length keep-alive"
  ])
})

test("two servers have two addresses, and one that is asked for", async () => {
  const told = await withSim({}, async (sim) => [
    await sim.serve(echo()),
    await sim.serve(echo()),
    await sim.serve(echo(), { port: 9_000 })
  ])

  expect(told).toEqual(["http://127.0.0.1:8001", "http://127.0.0.1:8002", "http://127.0.0.1:9000"])
})

test("what the program leaves open is closed at its end", async () => {
  const server = echo()
  const closed = new Promise((resolve) => server.on("connection", (socket) => socket.on("close", resolve)))
  await withSim({}, async (sim) => {
    const origin = await sim.serve(server)
    const dispatcher = new Agent({ connect: sim.connector<buildConnector.connector>("ann") })
    const { body } = await request(`${origin}/`, { method: "POST", body: "x", dispatcher })
    await body.text()
  })

  await closed
})

/** Timers that look for idle connections; Node keeps them under a symbol. */
const timersOf = (server: Server): ReadonlyArray<unknown> =>
  Object.getOwnPropertySymbols(server)
    .filter((key) => String(key).includes("connectionsCheckingInterval"))
    .flatMap((key): ReadonlyArray<unknown> => [Reflect.get(server, key) ?? []].flat())

// Seen to fail with no event, and with a real timer that Node's own listener had started.
test("a server says that it listens, to everybody but Node itself", async () => {
  const server = echo()
  const before = server.listeners("listening")
  const seen: Array<unknown> = []
  server.on("listening", () => void seen.push(server.address()))
  server.once("listening", () => void seen.push("once"))
  const never = new Promise(() => {})
  const hangs = withSim({}, async (sim) => {
    await sim.serve(server)
    await never
  })

  await expect(hangs).rejects.toMatchObject({ _tag: "Deadlock" })
  expect(seen).toEqual([{ address: "127.0.0.1", family: "IPv4", port: 8_001 }, "once"])
  expect(server.listeners("listening").slice(0, -1)).toEqual(before)
  expect(timersOf(server)).toEqual([])
})

test("what is no such server, or listens by itself, is refused", async () => {
  const serve = (server: object) => withSim({}, (sim) => sim.serve(Object.assign(server, { emit: () => true })))

  await expect(serve({})).rejects.toThrow("sim.serve(server) takes a server of node:http")
  const listening = Object.defineProperty(createServer(), "listening", { value: true })
  await expect(withSim({}, (sim) => sim.serve(listening))).rejects.toThrow("listens already")
  await expect(withSim({}, (sim) => sim.serve(createTlsServer()))).rejects.toThrow("there is no TLS")
})

test("options that there are not are refused", async () => {
  const serve = (options: object) => withSim({}, (sim) => sim.serve(echo(), options))

  await expect(serve({ idlems: 5 })).rejects.toThrow('sim.serve: there is no option "idlems"; did you mean "idleMs"?')
  await expect(serve({ port: -1 })).rejects.toThrow("sim.serve: port is -1; give a whole number from 0 to 65535")
})

// Seen to fail while only Node was asked, which knows of no handle.
test("a served server listens, has an address, and is closed like any other", async () => {
  const server = echo()
  const told = await withSim({}, async (sim) => {
    const origin = await sim.serve(server)
    const listening = { is: server.listening, address: server.address() }
    await expect(sim.serve(server)).rejects.toThrow("listens already")
    await post(sim, origin, "Ahoy")
    await closed(server)
    await expect(post(sim, origin, "Ahoy")).rejects.toThrow("ECONNREFUSED")
    await expect(closed(server)).rejects.toThrow("Server is not running.")
    return { listening, after: { is: server.listening, address: server.address() }, again: await sim.serve(server) }
  })

  expect(told).toEqual({
    listening: { is: true, address: { address: "127.0.0.1", family: "IPv4", port: 8_001 } },
    after: { is: false, address: null },
    again: "http://127.0.0.1:8002"
  })
})

// Seen to fail when the timers of the server were switched off: one connection for all, and no header.
test.each([
  ["its own, which it tells", { keepAliveTimeout: 1_000 }, {}, { connections: 2, told: "timeout=1" }],
  ["that of Node", {}, {}, { connections: 2, told: "timeout=5" }],
  ["none", { keepAliveTimeout: 0 }, {}, { connections: 1, told: undefined }],
  ["that of sim.serve", { keepAliveTimeout: 60_000 }, { idleMs: 1_000 }, { connections: 2, told: undefined }],
  ["a long one", { keepAliveTimeout: 60_000 }, {}, { connections: 1, told: "timeout=60" }]
] as const)("a served server keeps idle connections for a time: %s", async (_, own, options, expected) => {
  const found = await withSim({}, async (sim) => {
    let connections = 0
    let told: unknown
    const server = createServer(own, (_incoming, response) => response.end("x"))
    server.on("connection", () => connections++)
    const origin = await sim.serve(server, options)
    const dispatcher = new Agent({
      connect: sim.connector<buildConnector.connector>("ann"),
      keepAliveTimeout: 600_000
    })
    for (let turn = 0; turn < 2; turn++) {
      const { body, headers } = await request(origin, { dispatcher })
      await body.text()
      told = headers["keep-alive"]
      await sim.sleep(20_000)
    }
    await dispatcher.close()
    return { connections, told }
  })

  expect(found).toEqual(expected)
})

// Seen to fail when connections were closed at once, and when those that stay open were left alone.
test("a server that is closed gives the answers that are under way, and no more", async () => {
  const events = await withSim({}, async (sim) => {
    const seen: Array<string> = []
    const server = createServer((incoming, response) => {
      if (incoming.url === "/slow") setTimeout(() => response.end("slow"), 1_000)
      else response.end("quick")
    })
    const origin = await sim.serve(server)
    const ask = async (path: string): Promise<void> => {
      const dispatcher = new Agent({
        connect: sim.connector<buildConnector.connector>("ann"),
        keepAliveTimeout: 600_000
      })
      const { body } = await request(`${origin}${path}`, { dispatcher })
      seen.push(await body.text())
    }
    const slow = ask("/slow")
    await ask("/quick")
    await closed(server)
    seen.push(`closed after ${Math.floor(sim.now() / 1_000)} s`)
    await slow
    return seen
  })

  expect(events).toEqual(["quick", "closed after 1 s", "slow"])
})

test("connections of a served server can be closed by force", async () => {
  const ended = await withSim({}, async (sim) => {
    const server = createServer(() => {})
    const asked = post(sim, await sim.serve(server), "x").catch((error: unknown) => error)
    await new Promise((resolve) => server.once("request", resolve))
    const closing = closed(server)
    server.closeAllConnections()
    await closing
    return await asked
  })

  expect(ended).toMatchObject({ code: "UND_ERR_SOCKET" })
})

// Seen to fail with one listener more for each run.
test("a server that was made outside of its runs is the same after them", async () => {
  const server = echo()
  const before = { ...Object.getOwnPropertyDescriptors(server), listeners: server.listeners("request") }
  await withSim({}, async (sim) => post(sim, await sim.serve(server), "Ahoy"))
  const fails = withSim({}, async (sim) => {
    await sim.serve(echo(), { port: 9_000 })
    await expect(sim.serve(server, { port: 9_000 })).rejects.toThrow("EADDRINUSE")
    await sim.serve(server)
    throw new Error("bad")
  })
  await expect(fails).rejects.toThrow("bad")
  const after = { ...Object.getOwnPropertyDescriptors(server), listeners: server.listeners("request") }

  expect(Object.keys(after)).toEqual(Object.keys(before))
  expect(after.listeners).toEqual(before.listeners)
  expect(server).toMatchObject({ listening: false, keepAliveTimeout: before.keepAliveTimeout?.value })
})

// Seen to fail while the end of one answer counted, whatever else was asked on its connection.
test("a connection is idle when all that was asked on it is answered", async () => {
  const text = await withSim({}, async (sim) => {
    const server = createServer((incoming, response) => {
      if (incoming.url === "/slow") setTimeout(() => response.end("slow"), 500)
      else response.end("quick")
    })
    const { port } = new URL(await sim.serve(server, { idleMs: 100 }))
    const connect = sim.connector<buildConnector.connector>("ann")
    const socket = await new Promise<Socket>((resolve, reject) =>
      connect({ hostname: "127.0.0.1", port, protocol: "http:" }, (error, made) =>
        made === null ? reject(error) : resolve(made)
      )
    )
    socket.write("GET /quick HTTP/1.1\r\nhost: a\r\n\r\nGET /slow HTTP/1.1\r\nhost: a\r\n\r\n")
    let got = ""
    for await (const piece of socket) got += String(piece)
    return got
  })

  expect(text).toMatch(/quick[\s\S]*slow$/)
})
