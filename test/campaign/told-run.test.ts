import { Effect } from "effect"
import OpenAI from "openai"
import { Agent, fetch as undiciFetch } from "undici"
import { describe, expect, test } from "vitest"
import type { SimProgram } from "../../src/campaign/campaign.ts"
import { runWorld } from "../../src/campaign/run-world.ts"
import { plainContext } from "../../src/explore/program.ts"
import { InferenceRequestMatcher, ScriptedResponse } from "../../src/index.ts"
import { calmChoice } from "../../src/kernel/choice-sources.ts"
import type { SimWorld } from "../../src/sim.ts"
import * as sse from "../../src/sse.ts"
import { failing } from "./failing-trace.ts"

const apiKey = "sk-very-secret-qwertzuiop"

/** An unmodified client asks a server, over messages or bytes; then the program fails. */
const asks =
  (over: "messages" | "bytes"): SimProgram =>
  async (sim) => {
    const server = await sim.startServer({ over })
    const matcher = InferenceRequestMatcher.auxiliary("ChatCompletions")
    // A provider that says in its answer which key it was given.
    const reply = sse.chatReply.text({ model: "tide-1", text: `Sea is calm, ${apiKey}` })
    server.expectResponse("weather", matcher, ScriptedResponse.json(200, reply))
    const openai = new OpenAI({ apiKey, baseURL: server.url(), fetch: fetchOver(sim, over), logLevel: "off" })
    await openai.chat.completions.create({ model: "tide-1", messages: [{ role: "user", content: "Weather?" }] })
    throw new Error("bad")
  }

const fetchOver = (sim: SimWorld, over: "messages" | "bytes"): typeof fetch => {
  if (over === "messages") return sim.fetch("ann")
  const dispatcher = new Agent({ connect: sim.connector("ann") })
  const fetching: unknown = (url: string, init: object) => undiciFetch(url, { ...init, dispatcher })
  return isFetch(fetching) ? fetching : fetch
}

const isFetch = (value: unknown): value is typeof fetch => typeof value === "function"

// Seen to fail while a trace held notes alone.
describe.each(["messages", "bytes"] as const)("The trace of an explored run over %s", (over) => {
  const options = over === "bytes" ? { network: { segmentBytesMax: 7 }, runs: 3 } : { runs: 3 }

  test("shows what went over the wire, without keys", async () => {
    const { steps } = await failing(asks(over), options)
    const wire = (actor: string): string =>
      steps.flatMap((step) => (step.actor === actor ? (step.bytes ?? "") : "")).join("")

    expect(wire("srv")).toContain("POST /v1/chat/completions HTTP/1.1\r\n")
    expect(wire("srv")).toMatch(/authorization: \*{3}\r\n/i)
    expect(wire("srv")).toContain('"content":"Weather?"')
    expect(wire("ann")).toMatch(/^HTTP\/1\.1 200/)
    expect(wire("ann")).toContain("Sea is calm, ***")
    expect(JSON.stringify(steps)).not.toContain(apiKey.slice(0, 8))
    expect(JSON.stringify(steps)).not.toContain(apiKey.slice(-8))
  })

  test("shows the states that charts of the server went to", async () => {
    const { steps } = await failing(asks(over), options)
    const states = steps.flatMap(({ state = [] }) => state).join("; ")

    expect(states).toMatch(/expectation \d+: satisfied/)
    expect(states).toMatch(/listener \d+: /)
  })
})

test("a run of a campaign, of which nobody tells, is observed no further", async () => {
  const choice = calmChoice
  const world = { choice, context: plainContext(0), runSync: Effect.runSync }
  const untold = await runWorld(world, asks("messages"))
  const told = await runWorld({ ...world, isTold: true }, asks("messages"))

  const kinds = (details: ReadonlyMap<number, object>) => new Set([...details.values()].flatMap(Object.keys))
  expect(untold.observer.wire).toBeUndefined()
  expect(kinds(untold.observer.details())).toEqual(new Set())
  expect(kinds(told.observer.details())).toEqual(new Set(["note", "state", "bytes"]))
  expect(told.kernel.hash()).toBe(untold.kernel.hash())
})

test("what went over a wire is told in bounds", async () => {
  const { steps } = await failing(async (sim) => {
    const server = await sim.startServer()
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "x".repeat(50_000) }] })
    const headers = { "content-type": "application/json" }
    await (await sim.fetch("ann")(`${server.url()}/chat/completions`, { method: "POST", headers, body })).text()
    throw new Error("bad")
  })

  const lengths = steps.map(({ bytes = "" }) => bytes.length)
  expect(Math.max(...lengths)).toBeGreaterThan(4_000)
  expect(Math.max(...lengths)).toBeLessThan(4_200)
})
