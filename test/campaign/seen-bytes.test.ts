import { createServer, request as httpRequest } from "node:http"
import type { Socket } from "node:net"
import { Effect } from "effect"
import { Agent, type buildConnector, Client, Pool, request } from "undici"
import { describe, expect, test } from "vitest"
import { runWorld } from "../../src/campaign/run-world.ts"
import { plainContext } from "../../src/explore/program.ts"
import { seededChoice } from "../../src/kernel/choice-sources.ts"
import { runGoals, type SeenEvent, type ServedOver, type SimWorld, withSim } from "../../src/sim.ts"
import { openaiOver } from "./fetch-over.ts"
import { answer, auxiliary, posted, readAll } from "./judged-worlds.ts"

/** What is told of attempts, one line each. */
const attemptsOf = async (body: (sim: SimWorld) => Promise<unknown>): Promise<ReadonlyArray<string>> => {
  const lines: Array<string> = []
  const spy = {
    name: "spy",
    init: () => null,
    on(event: SeenEvent) {
      if (!("attempt" in event && "call" in event)) return null
      const more = event.type === "attempt.arrived" ? ` as ${event.request}` : "how" in event ? ` ${event.how}` : ""
      lines.push(`${event.actor}/${event.call} ${event.attempt}: ${event.type}${more}`)
      return null
    }
  }
  await withSim({ judge: { isBare: true, oracles: [spy] } }, body)
  return lines
}

const whole = (who: string, request: number): ReadonlyArray<string> => [
  `${who}: attempt.sent`,
  `${who}: attempt.arrived as ${request}`,
  `${who}: attempt.answered`,
  `${who}: answer.ended end`
]

describe("Requests over bytes", () => {
  // Seen to fail when the code that writes was taken for the code that asks (socket-calls.ts without its channels).
  test("belong to the call that made them, also when they wait for the connection of another", async () => {
    const lines = await attemptsOf(async (sim) => {
      const server = await sim.startServer({ over: "bytes" })
      const client = new Client(server.origin(), { connect: sim.connector<buildConnector.connector>("ann") })
      const ask = async (): Promise<unknown> =>
        (await client.request({ path: "/v1/models", method: "GET" })).body.text()
      await Promise.all([sim.call("ann", ask), ask(), sim.call("ann", ask)])
      await client.destroy()
    })

    expect(lines).toEqual([...whole("ann/call 1 1", 1), ...whole("ann/request 1 1", 2), ...whole("ann/call 2 1", 3)])
  })

  // Seen to fail when a request of no known call was taken for one of the call that dialled.
  test("never belong to a call that made way for them", async () => {
    const lines = await attemptsOf(async (sim) => {
      const server = await sim.startServer({ over: "bytes" })
      server.setChunkDelay(100)
      const connect = sim.connector<buildConnector.connector>("ann")
      const pool = new Pool(server.origin(), { connect, connections: 1 })
      const ask = async ({ signal }: { readonly signal: AbortSignal }): Promise<unknown> =>
        (await pool.request({ path: "/v1/chat/completions", signal, ...posted, method: "POST" })).body.text()
      await Promise.allSettled([
        sim.call("ann", (call) => {
          void sim.sleep(50).then(() => call.abort())
          return ask(call)
        }),
        sim.call("ann", ask)
      ])
      await pool.destroy()
    })

    expect(lines.filter((line) => line.endsWith("sent"))).toEqual([
      "ann/call 1 1: attempt.sent",
      "ann/request 1 1: attempt.sent"
    ])
  })

  test("are seen of clients of node:http", async () => {
    const lines = await attemptsOf(async (sim) => {
      const server = await sim.startServer({ over: "bytes" })
      const { port, hostname } = new URL(server.origin())
      const connect = sim.connector<buildConnector.connector>("ann")
      const ask = (): Promise<void> =>
        new Promise((resolve, reject) => {
          const asked = httpRequest(
            {
              path: "/v1/models",
              createConnection(_, opened) {
                connect({ protocol: "http:", hostname, host: hostname, port, servername: "" }, (error, socket) =>
                  error === null ? opened(null, socket) : opened(error, Object(null))
                )
                return undefined
              }
            },
            (response) => response.resume().on("end", resolve)
          )
          asked.on("error", reject).end()
        })
      await sim.call("ann", ask)
    })

    expect(lines).toEqual(whole("ann/call 1 1", 1))
  })

  // Seen to fail when the end of a connection was taken for that of each answer, and when time-outs counted as given up.
  test("end as their clients have it: whole, cut, given up, or timed out", async () => {
    const lines = await attemptsOf(async (sim) => {
      const url = await sim.serve(
        createServer((asked, response) => {
          if (asked.url === "/whole") response.end("all")
          if (asked.url === "/cut") response.write("half", () => response.socket?.destroy())
          if (asked.url === "/early") response.writeHead(103).end()
        })
      )
      const dispatcher = new Agent({ connect: sim.connector<buildConnector.connector>("ann") })
      const ask = async (path: string, options: object = {}): Promise<unknown> =>
        (await request(`${url}${path}`, { dispatcher, ...options })).body.text()
      await ask("/whole")
      await ask("/cut").catch(() => {})
      await ask("/silent", { signal: AbortSignal.timeout(50) }).catch(() => {})
      await ask("/silent", { headersTimeout: 2_000 }).catch(() => {})
      await dispatcher.destroy()
    })

    expect(lines.filter((line) => line.includes("ended"))).toEqual([
      "ann/request 1 1: answer.ended end",
      "ann/request 2 1: answer.ended cut",
      "ann/request 3 1: answer.ended left",
      "ann/request 4 1: answer.ended cut"
    ])
  })

  test("are no requests where something else than HTTP is spoken", async () => {
    const lines = await attemptsOf(async (sim) => {
      const url = await sim.serve(createServer((_, response) => response.end()))
      const connect = sim.connector<buildConnector.connector>("ann")
      const { port, hostname } = new URL(url)
      const socket = await new Promise<Socket>((resolve, reject) =>
        connect({ protocol: "http:", hostname, host: hostname, port, servername: "" }, (error, opened) =>
          error === null ? resolve(opened) : reject(error)
        )
      )
      socket.resume().write("EHLO ann\r\n\r\n")
      await new Promise((resolve) => socket.once("close", resolve))
    })

    expect(lines).toEqual([])
  })
})

/** Clients of both kinds race through faults of the network. */
const race =
  (over: ServedOver["over"]) =>
  async (sim: SimWorld): Promise<unknown> => {
    const server = await sim.startServer({ ...(over === undefined ? {} : { over }) })
    server.setChunkDelay(10)
    const turn = server.expectResponseBlocked("weather", auxiliary, answer("calm"))
    void sim.sleep(200).then(() => turn.release())
    const ask = (client: string): Promise<unknown> =>
      sim.call(client, ({ signal, abort }) => {
        if (client === "cat") void sim.sleep(25).then(() => abort())
        return readAll(openaiOver(sim, over === "bytes" ? "bytes" : "messages", server.url(), client), { signal })
      })
    return Promise.allSettled(["ann", "bob", "cat"].map(ask))
  }

// Seen to fail, over bytes, when whoever watches a connection drew a number when it was there.
test.each(["messages", "bytes"] as const)("a run over %s is the same run when it is judged or told", async (over) => {
  const hashOf = async (seed: number, more: object): Promise<string> => {
    const faults = { rst: 1 / 20, cut: 1 / 30, stall: 1 / 30, drop: 1 / 60, refuse: 1 / 20 }
    const network = { faults, segmentBytesMax: 200, latenciesMs: [1, 2, 20] }
    const choice = seededChoice(seed)
    const context = plainContext(seed)
    const run = await runWorld({ choice, context, network, runSync: Effect.runSync, ...more }, race(over))
    return `${run.kernel.hash()} ${run.kernel.draws.length} ${run.kernel.stepCount()} ${run.kernel.now()}`
  }

  for (let seed = 1; seed <= 20; seed++) {
    const plain = await hashOf(seed, {})
    expect(await hashOf(seed, { judge: { goals: Object.values(runGoals) } })).toBe(plain)
    expect(await hashOf(seed, { isTold: true })).toBe(plain)
  }
})
