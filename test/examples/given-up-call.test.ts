import { InferenceRequestMatcher, ScriptedResponse } from "llm-understudy"
import { explore, type SimWorld } from "llm-understudy/sim"
import * as sse from "llm-understudy/sse"
import OpenAI from "openai"
import { expect, test } from "vitest"

type Ask = (openai: OpenAI, signal: AbortSignal) => Promise<OpenAI.ChatCompletion>
const model = "tide-1"
const messages = [{ role: "user" as const, content: "How is the sea?" }]

/** A person who loses patience after 50 ms with an answer that takes 100. */
const impatient = (ask: Ask) => async (sim: SimWorld) => {
  const server = await sim.startServer()
  const answer = ScriptedResponse.json(
    200,
    sse.chatReply.call({ model, callId: "call_1", name: "look", arguments: "{}" })
  )
  server.expectResponse("a tool", InferenceRequestMatcher.auxiliary("ChatCompletions"), {
    ...answer,
    pacing: { delayMs: 100 }
  })
  const openai = new OpenAI({ baseURL: server.url(), apiKey: "any", fetch: sim.fetch("ann") })

  await sim
    .call("ann", async (call) => {
      void sim.sleep(50).then(() => call.abort())
      const { choices } = await ask(openai, call.signal)
      for (const { id } of choices[0]?.message.tool_calls ?? []) await call.tool(id, () => "calm")
    })
    .catch(() => {})
}

test("a call that is given up ends, and a forgotten signal is found", async () => {
  await explore(
    { runs: 20, judge: {} },
    impatient((openai, signal) => openai.chat.completions.create({ model, messages }, { signal }))
  )

  const deaf = explore(
    { runs: 20, judge: {} },
    impatient((openai) => openai.chat.completions.create({ model, messages }))
  )
  await expect(deaf).rejects.toThrow("cancel: an aborted call has not settled")
})
