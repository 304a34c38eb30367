import OpenAI from "openai"
import { Agent, fetch as undiciFetch } from "undici"
import { describe, expect, test } from "vitest"
import type { FaultName } from "../../src/faults.ts"
import { makeLiveHttp } from "../../src/live/http-server.ts"
import { runFenced } from "../../src/sim/run-loop.ts"
import { makeSimSockets, type SimSockets, type SimSocketsOptions } from "../../src/sim/transport-sockets.ts"
import { kernelOf, startFaulty } from "./transport-world.ts"

type Kernel = ReturnType<typeof kernelOf>

interface Parts {
  readonly sockets: SimSockets
  readonly kernel: Kernel
  /** Asks the fault server once as this client; gives what came and how it ended. */
  ask(client: string): Promise<string>
  readonly agents: ReadonlyArray<Agent>
}

/** Real parsers on both sides of simulated sockets: undici, and the adapter that serves live. */
const simulated = async <A>(
  sequence: ReadonlyArray<FaultName>,
  main: (parts: Parts) => Promise<A>,
  {
    seed,
    resetMode,
    ...options
  }: SimSocketsOptions & { readonly seed?: number; readonly resetMode?: "fin" | "rst" } = {}
): Promise<{ readonly value: A; readonly hash: string; readonly kernel: Kernel }> => {
  performance.clearResourceTimings()
  const kernel = kernelOf(seed)
  const sockets = makeSimSockets(kernel, options)
  const agents: Array<Agent> = []
  const outcome = await runFenced({
    kernel,
    seed: seed ?? 0,
    async main() {
      const server = await startFaulty(kernel, makeLiveHttp({ sockets }), {
        sequence,
        ...(resetMode === undefined ? {} : { resetMode })
      })
      const ask = async (client: string): Promise<string> => {
        const agent = new Agent({ connect: sockets.connector(client) })
        agents.push(agent)
        return await seen(agent, `http://127.0.0.1:${server.port}/v1/chat/completions`)
      }
      const value = await main({ sockets, kernel, ask, agents })
      await Promise.all(agents.map((agent) => agent.destroy()))
      return value
    }
  })
  if (outcome.status === "failed") throw outcome.error
  return { value: outcome.value, hash: outcome.stats.hash, kernel }
}

const seen = async (dispatcher: Agent, url: string): Promise<string> => {
  let text = ""
  try {
    const response = await undiciFetch(url, {
      dispatcher,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"model":"m","messages":[],"stream":true}'
    })
    const decoder = new TextDecoder()
    for await (const piece of response.body ?? []) text += decoder.decode(piece, { stream: true })
    return `${text.length} and an end`
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : null
    return `${text.length} and ${cause === null ? error : Reflect.get(cause, "code")}`
  }
}

const successes = (count: number): ReadonlyArray<FaultName> => Array.from({ length: count }, () => "success" as const)

describe("Simulated sockets between undici and the adapter that serves live", () => {
  test("carry an answer whole in segments of every size from one byte", async () => {
    const whole = (await simulated(["success"], ({ ask }) => ask("c1"))).value
    expect(whole).toMatch(/^\d{3,} and an end$/)

    for (let max = 1; max <= 16; max++) {
      const { value, kernel } = await simulated(["success"], ({ ask }) => ask("c1"), {
        seed: max,
        segmentBytesMax: max
      })
      expect(value).toBe(whole)
      expect(kernel.steps().filter(({ op }) => op.label === "net/data").length).toBeGreaterThan(1_000 / max)
    }
  })

  test("give one run for one seed, with tiny segments, resets and cuts: a hundred seeds, twice each", async () => {
    const run = (seed: number) =>
      simulated(successes(8), ({ ask }) => Promise.all([ask("c1"), ask("c2")]), {
        seed,
        segmentBytesMax: 16,
        faults: { rst: 1 / 400, cut: 1 / 800, stall: 1 / 400 },
        stallsMs: [500, 5_000]
      })
    const mismatches: Array<number> = []
    const hashes = new Set<string>()
    const ends = new Set<string>()
    for (let seed = 0; seed < 100; seed++) {
      const first = await run(seed)
      const second = await run(seed)
      if (first.hash !== second.hash) mismatches.push(seed)
      hashes.add(first.hash)
      for (const end of first.value) ends.add(end.replace(/^\d+ and /, ""))
    }

    expect(mismatches).toEqual([])
    expect(hashes.size).toBeGreaterThan(90)
    expect([...ends].sort()).toEqual(["ECONNRESET", "UND_ERR_SOCKET", "an end"])
  }, 120_000)

  test("carry the endings of a server: FIN, RST, half-close", async () => {
    const ends = async (name: FaultName, resetMode: "fin" | "rst" = "fin") =>
      (await simulated([name], ({ ask }) => ask("c1"), { resetMode })).value.replace(/^\d+ and /, "")

    expect(await ends("partial_disconnect")).toBe("UND_ERR_SOCKET")
    expect(await ends("partial_disconnect", "rst")).toBe("ECONNRESET")
    expect(await ends("connection_reset", "rst")).toBe("ECONNRESET")
    expect(await ends("half_close")).toBe("UND_ERR_SOCKET")
    expect(await ends("partial_eof")).toBe("an end")
  })

  test("tell a stalled connection from one that vanished: only of the first one does the server hear the end", async () => {
    const ended = async (name: FaultName): Promise<ReadonlyArray<string>> => {
      const { kernel } = await simulated([name], async ({ ask, agents }) => {
        const asked = ask("c1")
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        await Promise.all(agents.map((agent) => agent.destroy()))
        await asked
        await new Promise((resolve) => setTimeout(resolve, 1_000))
      })
      return kernel.steps().flatMap(({ op }) => (op.label === "net/fin" ? [op.actor] : []))
    }

    expect(await ended("partial_stall")).toContain("srv")
    expect(await ended("vanish")).not.toContain("srv")
  })

  test("fire the timeouts of undici in virtual time", async () => {
    const { value, kernel } = await simulated(["no_response"], ({ ask }) => ask("c1"))

    expect(value).toBe("0 and UND_ERR_HEADERS_TIMEOUT")
    expect(kernel.now()).toBeGreaterThan(299_000)
  })

  test("refuse a connect where nothing listens", async () => {
    const { value } = await simulated(["success"], async ({ sockets }) => {
      const agent = new Agent({ connect: sockets.connector("c1") })
      return await seen(agent, "http://127.0.0.1:8009/")
    })

    expect(value).toBe("0 and ECONNREFUSED")
  })

  test("serve an SDK that is not modified", async () => {
    const { value } = await simulated(
      ["rate_limit", "success"],
      async ({ sockets }) => {
        const dispatcher = new Agent({ connect: sockets.connector("c1") })
        const client = new OpenAI({
          apiKey: "k",
          baseURL: "http://127.0.0.1:8001/v1",
          fetch: (url, init) => Reflect.apply(undiciFetch, undefined, [url, { ...init, dispatcher }]),
          logLevel: "off"
        })
        const answer = await client.chat.completions.create({ model: "m", messages: [{ role: "user", content: "hi" }] })
        await dispatcher.destroy()
        return answer.choices[0]?.message.content
      },
      { seed: 3, segmentBytesMax: 16 }
    )

    expect(value).toBe("mock response recovered")
  })

  test("let a reader that is slow hold up its writer", async () => {
    const { value } = await simulated(["success"], async ({ kernel }) => {
      const network = makeSimSockets(kernel, { windowBytes: 1_000 })
      const written: Array<number> = []
      const got = await new Promise<number>((resolve) => {
        network.listen(
          { host: "127.0.0.1", port: 9_000 },
          {
            bound() {
              network.connector("c9")({ protocol: "http:", hostname: "127.0.0.1", port: "9000" }, (_, socket) => {
                let length = 0
                setTimeout(() => {
                  socket?.on("data", (bytes) => {
                    length += bytes.length
                  })
                  socket?.on("end", () => resolve(length))
                }, 1_000)
              })
            },
            failed: () => {},
            accept(socket) {
              for (let at = 0; at < 600; at++) socket.write(Buffer.alloc(500), () => written.push(kernel.now()))
              socket.end()
            }
          }
        )
      })
      return { got, early: written.filter((at) => at < 1_000).length }
    })

    expect(value.got).toBe(300_000)
    expect(value.early).toBeLessThan(200)
  })
})
