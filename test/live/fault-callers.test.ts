import { Agent, request } from "node:http"
import { describe, expect, it } from "vitest"
import { startFaultServer } from "../../src/faults.ts"
import { mulberry32 } from "../../src/kernel/mulberry32.ts"
import { openWire } from "../faults/wire/wire-client.ts"
import { chunksOf, faultPost, liveFaults, toldFaults } from "../support/fault-world.ts"
import { seed } from "../support/seed.ts"

// fault-server.md, section 9.1.5
const lanes = {
  alpha: "success partial_disconnect success empty success success success success success slow_success",
  beta: "success rate_limit success success success success rate_limit service_unavailable success success"
}

/** A random order of the items. */
const shuffled = <A>(items: ReadonlyArray<A>, draw: () => number): ReadonlyArray<A> =>
  items
    .map((item) => [draw(), item] as const)
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item)

/** Runs all jobs in their order, at most so many at once. */
const inFlight = async (most: number, jobs: ReadonlyArray<() => Promise<void>>): Promise<void> => {
  const next = jobs.values()
  const work = async (): Promise<void> => {
    for (const job of next) await job()
  }
  await Promise.all(Array.from({ length: most }, work))
}

/** A small client with exponential back-off, which gives up after so many retries. Gives what it saw, attempt by attempt. */
const askRetrying = async (url: string, body: object, retries: number): Promise<ReadonlyArray<string>> => {
  const seen: Array<string> = []
  for (let waitMs = 1; seen.length <= retries; waitMs *= 2) {
    try {
      const response = await fetch(url, { method: "POST", body: JSON.stringify(body) })
      await response.text()
      seen.push(String(response.status))
      if (response.ok) return seen
    } catch {
      seen.push("broken")
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
  return seen
}

const body = { model: "m", messages: [{ role: "user", content: "Grüße" }], stream: true }

describe("Two callers of one server", () => {
  it("get the faults of their own lane, byte for byte, in 50 random interleavings with up to 8 in flight", async () => {
    const draw = mulberry32(seed)
    const callers = Array.from({ length: 20 }, (_, index) => (index < 10 ? "alpha" : "beta"))
    let first: ReadonlyMap<string, string> | null = null
    for (let interleaving = 0; interleaving < 50; interleaving++) {
      const server = await startFaultServer({
        sequence: ["random"],
        repeatLast: true,
        randomSeed: 42,
        lanes: { by: ["path"], perLane: true },
        chunkDelayMs: 1,
        disconnectDelayMs: 1
      })
      const answers: Array<string> = []
      await inFlight(
        1 + (draw() % 8),
        shuffled(callers, draw).map((lane, at) => async () => {
          const client = openWire(server.port)
          client.write(faultPost(["connection: close", `x-at: ${at}`], `/lanes/${lane}/v1/responses`))
          await client.ended()
          answers[at] = client
            .received()
            .toString()
            .replace(/\r\ndate: [^\r]+/, "")
          client.socket.destroy()
        })
      )
      await server.close()

      const got = (wanted: string) =>
        server.requests.flatMap(({ lane, behavior }) => (lane === wanted ? [behavior] : [])).join(" ")
      expect({ alpha: got("alpha"), beta: got("beta") }).toEqual(lanes)
      const bytes = new Map(
        server.requests.map(({ lane, laneAttempt, headers }) => [
          `${lane} ${laneAttempt}`,
          answers[Number(headers["x-at"])] ?? ""
        ])
      )
      first ??= bytes
      expect(bytes).toEqual(first)
    }
    expect(new Set(first?.values()).size).toBeGreaterThan(9)
  })

  it("retry out of each other's way: one sees its rate limit, the other none, in every interleaving", async () => {
    const draw = mulberry32(seed)
    for (let interleaving = 0; interleaving < 20; interleaving++) {
      const server = await startFaultServer({
        lanes: {
          by: ["path"],
          scripts: { alpha: { sequence: ["rate_limit", "success"] }, beta: { sequence: ["success"] } }
        }
      })
      const seen = new Map<string, ReadonlyArray<string>>()
      await Promise.all(
        shuffled(["alpha", "beta"], draw).map(async (lane) => {
          for (let turns = draw() % 3; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve))
          const url = `${server.baseURL}/lanes/${lane}/v1/chat/completions`
          seen.set(lane, await askRetrying(url, body, 2))
        })
      )

      expect(Object.fromEntries(seen)).toEqual({ alpha: ["429", "200"], beta: ["200"] })
      expect(() => server.assertDrained()).not.toThrow()
      expect(server.unexpected).toEqual([])
      await server.close()
    }
  })
})

describe("A client that retries", () => {
  it("sends the same body again after half an answer, and gets the whole", async () => {
    const { server } = await liveFaults({ sequence: ["partial_disconnect", "success"], chunkDelayMs: 0 })

    expect(await askRetrying(`${server.url}/chat/completions`, body, 5)).toEqual(["broken", "200"])

    expect(server.requests.map(({ body }) => body)).toEqual([body, body])
    expect(server.requests.map(({ outcome }) => outcome)).toEqual(["reset", "completed"])
  })

  it("at most twice makes exactly three requests when every connection is reset", async () => {
    for (const mode of ["fin", "rst"]) {
      const { server } = await liveFaults({ sequence: [`connection_reset:${mode}*3`, "success"] })

      expect(await askRetrying(`${server.url}/chat/completions`, body, 2)).toEqual(["broken", "broken", "broken"])

      expect(server.requests.map(({ outcome, closeMode }) => `${outcome} ${closeMode}`)).toEqual(
        Array.from({ length: 3 }, () => `reset ${mode}`)
      )
    }
  })

  it("finds no way into a gap over an idle connection of its pool", async () => {
    for (let round = 0; round < 20; round++) {
      const { server } = await liveFaults({
        sequence: ["success", "connection_refused:60000", "success"],
        clock: "manual"
      })
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const ask = (): Promise<string> =>
        new Promise((resolve) => {
          const options = { method: "POST", agent, headers: { "content-type": "application/json" } }
          const sent = request(`${server.url}/chat/completions`, options, (response) => {
            response.resume()
            response.on("end", () => resolve(String(response.statusCode)))
          })
          sent.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
          sent.end(JSON.stringify(body))
        })

      expect(await ask()).toBe("200")
      expect(await ask()).toMatch(/^(?:ECONNREFUSED|ECONNRESET|EPIPE)$/)

      expect(server.requests).toHaveLength(1)
      await server.clock.advance("60 seconds")
      expect(await ask()).toBe("200")
      agent.destroy()
    }
  })
})

describe("A reset after a silence", () => {
  it("comes behind all events", async () => {
    const { server } = await liveFaults({ sequence: ["partial_disconnect:rst"], disconnectDelayMs: 20 })
    const client = openWire(server.port)
    client.write(faultPost())
    await client.ended()

    expect(client.hasEnded()).toBe(false)
    expect(await client.closed()).toBe("ECONNRESET")
    expect(chunksOf(client.received().toString())).toMatchObject({ chunks: { length: 4 }, isComplete: false })
  })
})

describe("A client with the wrong path", () => {
  it("is told of, and takes nothing from the script", async () => {
    const { server, told } = await toldFaults({ sequence: ["success"] })
    for (const path of ["/v1/chat", "/chat/completion", "/v1/completions"]) {
      const client = openWire(server.port)
      client.write(faultPost(["connection: close"], path))
      await client.ended()
      expect(client.received().toString()).toMatch(/^HTTP\/1\.1 404 /)
      client.socket.destroy()
    }

    expect(told).toMatchObject(Array.from({ length: 3 }, () => ({ type: "rejected", reason: "route", status: 404 })))
    expect(await askRetrying(`${server.url}/chat/completions`, body, 0)).toEqual(["200"])
    expect(server.requests).toMatchObject([{ attempt: 1, behavior: "success" }])
  })
})
