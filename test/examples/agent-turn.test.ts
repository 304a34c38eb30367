import { InferenceRequestMatcher, RequestCondition, ScriptedResponse } from "llm-understudy"
import { type SimCall, type SimWorld, simTest } from "llm-understudy/sim"
import * as sse from "llm-understudy/sse"
import OpenAI from "openai"
import { expect } from "vitest"

const model = "tide-1"
const tools = [{ type: "function" as const, function: { name: "depth" } }]

/** One turn of an agent: asks, does what the model wants done, asks again. */
const turn = async (openai: OpenAI, prompt: string, { signal, tool }: SimCall): Promise<string> => {
  const messages: Array<OpenAI.ChatCompletionMessageParam> = [{ role: "user", content: prompt }]
  for (;;) {
    const reply = await openai.chat.completions.create({ model, messages, tools }, { signal })
    const message = reply.choices[0]?.message
    if (!message?.tool_calls) return message?.content ?? ""
    messages.push(message)
    for (const { id } of message.tool_calls) {
      const content = await tool(id, async () => "40 m") // seen by the laws: no id may be executed twice
      messages.push({ role: "tool", tool_call_id: id, content })
    }
  }
}

/** The model asks for the tool, then answers. A network may lose an answer, so that its client asks again: each has several. */
const startModel = async (sim: SimWorld) => {
  const server = await sim.startServer({ sessions: { retries: "any" } })
  const chat = InferenceRequestMatcher.auxiliary("ChatCompletions")
  const after = (results: number) =>
    InferenceRequestMatcher.where(
      chat,
      RequestCondition.body(
        `${results} tool results`,
        (body) => JSON.stringify(body).split("tool_call_id").length - 1 === results
      )
    )
  const asks = sse.chatReply.call({ model, callId: "call_1", name: "depth", arguments: "{}" })
  server.expectResponse("asks for the tool", after(0), ScriptedResponse.json(200, asks), { times: 9 })
  const answers = sse.chatReply.text({ model, text: "Forty metres." })
  server.expectResponse("answers", after(1), ScriptedResponse.json(200, answers), { times: 9 })
  return server
}

simTest(
  "a turn that completes has its answer, and executed its tool once, whatever the network does",
  {
    runs: 200,
    network: { faults: { rst: 1 / 20, stall: 1 / 20 } },
    // With 0, the default, it finds that this client hears no abort while it waits to try again (openai/openai-node#2580).
    judge: { retries: { retriesMax: 2 }, cancelMsMax: 10_000 }
  },
  async (sim) => {
    const server = await startModel(sim)
    const fetch = sim.fetch("agent")
    const openai = new OpenAI({
      baseURL: server.url(),
      fetch,
      apiKey: "any",
      maxRetries: 2,
      timeout: 5_000,
      logLevel: "off"
    })

    const said = sim.call("agent", async (call) => {
      const isPatient = sim.choice.draw(2, "agent/gives up") === 0
      if (!isPatient) void sim.sleep(3_000).then(() => call.abort()) // as a person does who presses Ctrl-C
      return turn(openai, "How deep is it?", call)
    })

    const text = await said.catch(() => null) // by the network, by its own patience, by the person
    sim.sometimes("the turn was answered", text !== null)
    if (text !== null) expect(text).toBe("Forty metres.")
  }
)
