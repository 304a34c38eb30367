import { createServer } from "node:http"
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

  expect(told).toBe("POST Ahoy, connection content-length")
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

test("what is no such server, or listens by itself, is refused", async () => {
  const serve = (server: object) => withSim({}, (sim) => sim.serve(Object.assign(server, { emit: () => true })))

  await expect(serve({})).rejects.toThrow("sim.serve(server) takes a server of node:http")
  const listening = Object.defineProperty(createServer(), "listening", { value: true })
  await expect(withSim({}, (sim) => sim.serve(listening))).rejects.toThrow("listens already")
})
