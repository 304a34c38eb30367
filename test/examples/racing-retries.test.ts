import { InferenceRequestMatcher, ScriptedResponse } from "llm-understudy"
import { explore, type SimProgram, simTest } from "llm-understudy/sim"
import * as sse from "llm-understudy/sse"
import OpenAI from "openai"
import { expect, test } from "vitest"

const network = { faults: { rst: 1 / 20, stall: 1 / 20 } }
const words = "Sea is calm"

/** One question of an unmodified client that tries again and gives up in the end; all in virtual time. */
const ask = (client: string, options: { baseURL: string; fetch: typeof fetch }) => {
  const openai = new OpenAI({ ...options, apiKey: "any", maxRetries: 2, timeout: 5_000, logLevel: "off" })
  return openai.chat.completions
    .create({ model: "tide-1", messages: [{ role: "user", content: client }] })
    .then((reply) => reply.choices[0]?.message.content ?? "", String)
}

simTest("one answer for two clients that race and try again is given once", { runs: 200, network }, async (sim) => {
  const server = await sim.startServer()
  const matcher = InferenceRequestMatcher.auxiliary("ChatCompletions")
  const reply = sse.chatReply.text({ model: "tide-1", text: words })
  server.expectResponse("the only answer", matcher, ScriptedResponse.json(200, reply))

  const answers = await Promise.all(
    ["ann", "bob"].map((client) =>
      sim.as(client, () => ask(client, { baseURL: server.url(), fetch: sim.fetch(client) }))
    )
  )

  const requests = server.requests()
  expect(answers.filter((answer) => answer === words).length).toBeLessThanOrEqual(1)
  expect(requests.filter((request) => request.answer.source === "expectation").length).toBeLessThanOrEqual(1)
  sim.sometimes("a client tried again", requests.length > 2)
})

test("the same search finds a mock that looks before it takes", async () => {
  const naive: SimProgram = async (sim) => {
    const pending = [words]
    const claim = async () => {
      const [next = "Echo"] = pending
      await sim.sleep(sim.choice.draw(4, "file system")) // looks, waits for something, and only then takes
      pending.shift()
      return new Response(JSON.stringify(sse.chatReply.text({ model: "tide-1", text: next })))
    }
    const answers = await Promise.all(
      ["ann", "bob"].map((client) =>
        sim.as(client, async () => {
          await sim.sleep(sim.choice.draw(8, "start") * 10)
          return ask(client, { baseURL: "http://mock.test", fetch: claim })
        })
      )
    )
    expect(answers.filter((answer) => answer === words)).toHaveLength(1)
  }

  await expect(explore({ runs: 200 }, naive)).rejects.toThrow(/SIM_REPLAY='us1\.[\s\S]*sequenceDiagram/)
})
