import Anthropic from "@anthropic-ai/sdk"
import OpenAI from "openai"
import { describe, expect, test } from "vitest"
import { simulated, startFaulty, startMock } from "./transport-world.ts"

const messages = [{ role: "user" as const, content: "hi there" }]

const openaiText = async (fetch: typeof globalThis.fetch, origin: string, maxRetries = 2): Promise<string> => {
  const client = new OpenAI({
    apiKey: "k",
    baseURL: `${origin}/v1`,
    fetch,
    maxRetries,
    timeout: 5_000,
    logLevel: "off"
  })
  const stream = await client.chat.completions.create({ model: "m", stream: true, messages })
  let text = ""
  for await (const chunk of stream) text += chunk.choices[0]?.delta?.content ?? ""
  return text
}

const anthropicText = async (fetch: typeof globalThis.fetch, origin: string, maxRetries = 2): Promise<string> => {
  const client = new Anthropic({ apiKey: "k", baseURL: origin, fetch, maxRetries, timeout: 5_000, logLevel: "off" })
  const stream = await client.messages.create({ model: "m", max_tokens: 9, stream: true, messages })
  let text = ""
  for await (const event of stream) {
    if (event.type === "content_block_delta" && event.delta.type === "text_delta") text += event.delta.text
  }
  return text
}

const outcomeOf = (text: Promise<string>): Promise<string> =>
  text.then(
    (value) => `ok ${value}`,
    (error: Error) => `${error.constructor.name} ${error.message}`
  )

/** Two clients, retries, a server that fails at first, and a network that loses connections. */
const race = (seed: number) =>
  simulated(
    async (http, kernel) => {
      const server = await startFaulty(kernel, http.port, {
        sequence: [
          "rate_limit",
          "slow_success",
          "server_error",
          ...Array.from({ length: 20 }, () => "slow_success" as const)
        ]
      })
      const origin = `http://127.0.0.1:${server.port}`
      return await Promise.all([
        outcomeOf(openaiText(http.fetch("c1"), origin, 4)),
        outcomeOf(anthropicText(http.fetch("c2"), origin, 4))
      ])
    },
    { seed, faults: { rst: 1 / 20, cut: 1 / 30, drop: 1 / 40 } }
  )

describe("Unmodified SDKs over a simulated network", () => {
  test("stream from the server that runs live", async () => {
    const { value } = await simulated(async (http, kernel) => {
      const server = await startMock(kernel, http.port)
      return [
        await openaiText(http.fetch("c1"), server.origin()),
        await anthropicText(http.fetch("c2"), server.origin())
      ]
    })

    expect(value).toEqual(["Echo: hi there", "Echo: hi there"])
  })

  test("retry what fails, in virtual time", async () => {
    const { value, atMs } = await simulated(async (http, kernel) => {
      const server = await startFaulty(kernel, http.port, {
        sequence: ["rate_limit", "connection_reset", "server_error", "success"],
        retryAfterMs: 20_000
      })
      const text = await openaiText(http.fetch("c1"), `http://127.0.0.1:${server.port}`, 4)
      return { text, outcomes: server.requests.map(({ outcome }) => outcome) }
    })

    expect(value).toEqual({
      text: "mock response recovered",
      outcomes: ["completed", "reset", "completed", "completed"]
    })
    expect(atMs).toBeGreaterThan(20_000)
  })

  test("are told of a reset in the middle of a stream", async () => {
    const { value } = await simulated(async (http, kernel) => {
      const server = await startFaulty(kernel, http.port, { sequence: ["partial_disconnect"], resetMode: "rst" })
      const error: unknown = await openaiText(http.fetch("c1"), `http://127.0.0.1:${server.port}`).catch(
        (error) => error
      )
      return error
    })

    expect(value).toMatchObject({ message: "terminated", cause: { code: "ECONNRESET", message: "read ECONNRESET" } })
  })

  test("end a stall by an abort, and the server notices", async () => {
    const { value, atMs } = await simulated(async (http, kernel) => {
      const server = await startFaulty(kernel, http.port, { sequence: ["partial_stall"] })
      const client = new OpenAI({ apiKey: "k", baseURL: `http://127.0.0.1:${server.port}/v1`, fetch: http.fetch("c1") })
      const controller = new AbortController()
      setTimeout(() => controller.abort(), 30_000)
      const stream = await client.chat.completions.create(
        { model: "m", stream: true, messages },
        { signal: controller.signal }
      )
      let text = ""
      for await (const chunk of stream) text += chunk.choices[0]?.delta?.content ?? ""
      await new Promise((resolve) => setTimeout(resolve, 10))
      const isNoticed = kernel.steps().some(({ op }) => op.label === "net/fin" && op.actor === "srv")
      return { text, isNoticed, left: http.client("c1").connections() }
    })

    expect(value).toEqual({ text: "discarded partial response", isNoticed: true, left: 0 })
    expect(Math.round(atMs / 1_000)).toBe(30)
  })

  test("give the same run for the same seed, twenty times, and other runs for other seeds", async () => {
    const same = new Set<string>()
    for (let run = 0; run < 20; run++) same.add((await race(7)).hash)
    const hashes = new Set<string>()
    const outcomes = new Set<string>()
    for (let seed = 0; seed < 200; seed++) {
      const { hash, value } = await race(seed)
      hashes.add(hash)
      for (const outcome of value) outcomes.add(outcome.slice(0, 12))
    }

    expect(same.size).toBe(1)
    expect(hashes.size).toBeGreaterThan(190)
    expect(outcomes.size).toBeGreaterThan(2)
  }, 60_000)
})
