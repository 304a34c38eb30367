import { InferenceRequestMatcher, ScriptedResponse } from "llm-understudy"
import { runGoals, type SimWorld, simTest } from "llm-understudy/sim"
import * as sse from "llm-understudy/sse"
import OpenAI from "openai"
import { expect } from "vitest"

const words = "Sea is calm"
const model = "tide-1"

/** Asks by an unmodified client, and once more when there is no answer after two seconds; the first answer counts. */
const ask = async (sim: SimWorld, client: string, baseURL: string): Promise<string> => {
  const defaultHeaders = { "x-grok-req-id": client }
  const options = { baseURL, fetch: sim.fetch(client), apiKey: "any", defaultHeaders, logLevel: "off" as const }
  const openai = new OpenAI({ ...options, maxRetries: 2, timeout: 5_000 })
  const loser = new AbortController()
  const messages = [{ role: "user" as const, content: `Weather for ${client}?` }]
  const send = () => openai.chat.completions.create({ model, messages }, { signal: loser.signal })

  const first = send()
  const isSlow = (await Promise.race([Promise.allSettled([first]), sim.sleep(2_000)])) === undefined
  const reply = await Promise.any(isSlow ? [first, send()] : [first])
  loser.abort()
  return reply.choices[0]?.message.content ?? ""
}

simTest(
  "one answer for two clients that race, hedge and try again is given once",
  {
    runs: 300,
    timeoutMs: 1_200_000,
    network: { faults: { rst: 1 / 20, stall: 1 / 20 } },
    judge: { goals: [runGoals.racingRequests, runGoals.replayJoined, runGoals.copyBlocked] }
  },
  async (sim) => {
    const server = await sim.startServer()
    const reply = ScriptedResponse.json(200, sse.chatReply.text({ model, text: words }))
    const matcher = InferenceRequestMatcher.auxiliary("ChatCompletions")
    const turn = server.expectResponseBlocked("the only answer", matcher, reply)
    const released = sim.sleep([0, 20, 3_000, 8_000][sim.choice.draw(4, "release")] ?? 0).then(() => turn.release())

    const answers = await Promise.all(
      ["ann", "bob"].map(async (client) => {
        await sim.sleep([0, 10, 2_500][sim.choice.draw(3, `start/${client}`)] ?? 0)
        return sim.call(client, () => ask(sim, client, server.url())).catch(String)
      })
    )
    await released

    expect(answers.filter((answer) => answer === words).length).toBeLessThanOrEqual(1)
  }
)
