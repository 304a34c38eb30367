import { type FuzzClient, fuzz } from "llm-understudy/sim"
import OpenAI from "openai"
import { expect, test } from "vitest"

/** A client to be fuzzed: how it is made, and how it makes one turn of a conversation. */
const client: FuzzClient = ({ baseURL, fetch }) => {
  const openai = new OpenAI({ baseURL, fetch, apiKey: "any", maxRetries: 2, timeout: 10_000, logLevel: "off" })
  const tools = [{ type: "function" as const, function: { name: "lookup" } }]

  return async ({ prompt, signal, callTool }) => {
    const messages: Array<OpenAI.ChatCompletionMessageParam> = [{ role: "user", content: prompt }]
    for (;;) {
      const asked = { model: "tide-1", messages, tools }
      const { choices } = await openai.chat.completions.stream(asked, { signal }).finalChatCompletion()
      const [choice] = choices
      const calls = choice?.message.tool_calls ?? []
      if (choice === undefined || calls.length === 0) return choice?.message.content ?? ""
      messages.push(choice.message)
      for (const { id } of calls) messages.push({ role: "tool", tool_call_id: id, content: await callTool(id) })
    }
  }
}

test("this client keeps its promises, but for one", { timeout: 120_000 }, async () => {
  await fuzz(client, { noAnswerAfterCancel: { withinMs: 70_000 } }, { runs: 50 })

  // It is told to stop while it waits to try again, and hears it when the wait is over (openai/openai-node#2580).
  await expect(fuzz(client, {}, { runs: 500 })).rejects.toThrow("cancel: an aborted call has not settled")
})
