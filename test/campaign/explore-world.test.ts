import { Effect } from "effect"
import OpenAI from "openai"
import { describe, expect, it } from "vitest"
import type { SimProgram } from "../../src/campaign/campaign.ts"
import { exploreWorld, replayWorld } from "../../src/campaign/explore-world.ts"
import type { SimWorld } from "../../src/campaign/sim-world.ts"
import { InferenceRequestMatcher, ScriptedResponse } from "../../src/index.ts"
import { nonCalmCount } from "../../src/kernel/choice-forks.ts"
import * as sse from "../../src/sse.ts"

const auxiliary = InferenceRequestMatcher.auxiliary("ChatCompletions")
const words = "Sea is calm and the wind is warm"

/** One streamed answer of an unmodified client, or what it failed with. */
const asked = (sim: SimWorld, baseURL: string, client: string): Promise<string> =>
  sim.as(client, async () => {
    const openai = new OpenAI({
      apiKey: "any",
      baseURL,
      fetch: sim.fetch(client),
      maxRetries: 2,
      timeout: 5_000,
      logLevel: "off"
    })
    let text = ""
    try {
      const stream = await openai.chat.completions.create({
        model: "m",
        stream: true,
        messages: [{ role: "user", content: client }]
      })
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ""
      return text
    } catch (error) {
      return `${error}`
    }
  })

describe("A world of unmodified clients", () => {
  it("finds a truncated answer that passes for a whole one, makes it small, and has it again", async () => {
    const truncated: SimProgram = async (sim) => {
      const server = await sim.startFaultServer({
        sequence: ["random"],
        repeatLast: true,
        randomWeights: { success: 6, partial_eof: 1, rate_limit: 1 }
      })
      const texts = await Promise.all(["ann", "bob"].map((client) => asked(sim, server.url, client)))
      // The client reads a stream that ends early as if it were complete.
      if (texts.includes("discarded partial response")) throw new Error("half an answer passed for a whole one")
    }
    const found = await exploreWorld(truncated, { runs: 200, seed: 1 }, Effect.runSync)

    expect(found.failure?.message).toBe("half an answer passed for a whole one")
    expect(nonCalmCount(found.failure?.shrunk?.lists ?? {})).toBe(1)
    const again = await replayWorld(truncated, { token: found.failure?.token ?? "" }, Effect.runSync)
    expect(again.isSame).toBe(true)
    expect(again.outcome).toMatchObject({ type: "failed", message: "half an answer passed for a whole one" })
    expect(again.run?.kernel.hash()).toBeDefined()
  })

  it("passes many schedules where nothing is wrong", async () => {
    const found = await exploreWorld(
      async (sim) => {
        const server = await sim.startServer()
        for (const name of ["first", "second"]) {
          server.expectResponse(name, auxiliary, ScriptedResponse.sse(sse.chat.text({ model: "m", text: words })))
        }
        const texts = await Promise.all(["ann", "bob"].map((client) => asked(sim, server.url(), client)))
        expect(texts).toEqual([words, words])
        server.verify()
      },
      { runs: 60, seed: 2 },
      Effect.runSync
    )

    expect(found.failure).toBeNull()
    expect(found.stats.runs).toBe(60)
  })
})
