import { deepEqual, equal, match, ok } from "node:assert/strict"
import { InferenceRequestMatcher, ScriptedResponse } from "llm-understudy"
import { chat, chatReply } from "llm-understudy/sse"
import { checkEach } from "../check.mjs"
import { collect, collectUntilError, isPendingAfter, rejection } from "../outcomes.mjs"
import { enqueue, expectTurns, requestsOf } from "../scripts.mjs"
import { chatHelpers, connect, openaiClients } from "./openai-clients.mjs"

const model = "test-model"
const messages = [{ role: "user", content: "hi  there" }]
const depth = { callId: "call_kelp", name: "depth", arguments: '{"m": 40}' }
const width = { callId: "call_reef", name: "width", arguments: '{"m":7, "unit":"ft"}' }

const stream = (client, server, body = {}) =>
  connect(client, server).chat.completions.create({ model, messages, stream: true, ...body })
const helper = (client, server, body = {}) =>
  chatHelpers(client, connect(client, server)).stream({ model, messages, ...body })
const textOf = (chunks) => chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("")

checkEach(openaiClients, "chat: raw iteration gives the text", async (server, client) => {
  const chunks = await collect(stream(client, server))

  equal(textOf(chunks), "Echo: hi  there")
  equal(chunks.at(-1).choices[0].finish_reason, "stop")
  equal(chunks.filter((chunk) => chunk.usage).length, 0)
})

checkEach(openaiClients, "chat: the helper gives the text, and usage when it is asked for", async (server, client) => {
  server.setResponse("Sea is  calm\n")
  const plain = helper(client, server)
  const counted = helper(client, server, { stream_options: { include_usage: true } })

  equal(await plain.finalContent(), "Sea is  calm\n")
  const first = await plain.finalChatCompletion()
  equal(first.choices[0].finish_reason, "stop")
  equal(first.usage ?? undefined, undefined)
  const { usage } = await counted.finalChatCompletion()
  equal(usage.total_tokens, usage.prompt_tokens + usage.completion_tokens)
  ok(usage.completion_tokens > 0)
})

checkEach(openaiClients, "chat: without stream the answer is JSON", async (server, client) => {
  const reply = await connect(client, server).chat.completions.create({ model, messages })

  equal(reply.choices[0].message.content, "Echo: hi  there")
  equal(reply.object, "chat.completion")
  equal(reply.model, model)
  equal(reply._request_id, "req_mock")
})

const builders = {
  text: { input: { text: "Sea is calm" }, content: "Sea is calm" },
  "empty text": { builder: "text", input: { text: "" }, content: "" },
  "reasoning only": { builder: "reasoning", input: { reasoning: "let me see" }, content: "" },
  "reasoning and text": {
    builder: "reasoningText",
    input: { reasoning: "let me see", text: "yes it is" },
    content: "yes it is"
  },
  call: { input: depth, calls: [depth] },
  "parallel calls": { builder: "calls", input: { calls: [depth, width] }, calls: [depth, width] },
  "interleaved calls": {
    builder: "calls",
    input: { calls: [depth, width], order: "interleaved" },
    calls: [depth, width]
  },
  "text and calls": {
    builder: "textCalls",
    input: { text: "I look", calls: [depth] },
    content: "I look",
    calls: [depth]
  },
  "think then call": { builder: "thinkThenCall", input: { reasoning: "hm hm", ...depth }, calls: [depth] },
  refusal: { input: { text: "I will not" }, refusal: "I will not" }
}

for (const [name, { builder = name, input, content = null, calls = [], refusal = null }] of Object.entries(builders)) {
  const verify = ({ message, finish_reason: reason }) => {
    equal(message.content ?? (content === "" ? "" : null), content)
    equal(message.refusal ?? null, refusal)
    deepEqual((message.tool_calls ?? []).map(callOf), calls)
    equal(reason, calls.length > 0 ? "tool_calls" : "stop")
  }
  checkEach(openaiClients, `chat: the helper reads ${name}`, async (server, client) => {
    enqueue(server, "ChatCompletions", ScriptedResponse.sse(chat[builder]({ ...input, model })))

    verify((await helper(client, server).finalChatCompletion()).choices[0])
  })
  checkEach(openaiClients, `chat: the JSON reply has ${name}`, async (server, client) => {
    enqueue(server, "ChatCompletions", ScriptedResponse.json(200, chatReply[builder]({ ...input, model })))

    verify((await connect(client, server).chat.completions.create({ model, messages })).choices[0])
  })
}

const callOf = (call) => ({ callId: call.id, name: call.function.name, arguments: call.function.arguments })

checkEach(openaiClients, "chat: the helper reads several choices", async (server, client) => {
  const events = chat.choices({ texts: ["left hand", "right hand"], order: "interleaved", model })
  enqueue(server, "ChatCompletions", ScriptedResponse.sse(events))

  const { choices } = await helper(client, server, { n: 2 }).finalChatCompletion()

  deepEqual(
    choices.map(({ message }) => message.content),
    ["left hand", "right hand"]
  )
})

checkEach(openaiClients, "chat: only version 7 reads calls of custom tools", async (server, client) => {
  const call = { callId: "call_free", name: "note", arguments: "any text" }
  enqueue(server, "ChatCompletions", ScriptedResponse.sse(chat.customCall({ ...call, model })))
  const final = helper(client, server).finalChatCompletion()

  if (client.major < 7) return match((await rejection(final)).message, /function/)
  const [made] = (await final).choices[0].message.tool_calls
  deepEqual(made.custom, { name: "note", input: "any text" })
})

checkEach(
  openaiClients,
  "chat: the tool loop of the helper answers the call and gets the second turn",
  async (server, client) => {
    const assertServed = expectTurns(
      server,
      "ChatCompletions",
      ScriptedResponse.sse(chat.call({ ...depth, model })),
      ScriptedResponse.sse(chat.text({ text: "It is 40 m deep", model }))
    )
    const asked = []
    const runner = chatHelpers(client, connect(client, server)).runTools({
      model,
      messages,
      stream: true,
      tools: [runnable("depth", (input) => asked.push(input)), runnable("width", () => {})]
    })

    equal(await runner.finalContent(), "It is 40 m deep")
    deepEqual(asked, [{ m: 40 }])
    const [, second] = requestsOf(server, "ChatCompletions")
    const [, made, result] = second.body.messages
    equal(made.tool_calls[0].id, depth.callId)
    deepEqual([result.role, result.tool_call_id, result.content], ["tool", depth.callId, "done"])
    assertServed()
  }
)

const runnable = (name, asked) => ({
  type: "function",
  function: {
    name,
    description: name,
    parameters: { type: "object", properties: { m: { type: "number" } } },
    parse: JSON.parse,
    function: (input) => {
      asked(input)
      return "done"
    }
  }
})

checkEach(openaiClients, "chat: profile compact is read by raw iteration and by the helper", async (server, client) => {
  server.setProfile("compact")
  server.setResponse("Sea is calm")

  equal(textOf(await collect(stream(client, server))), "Sea is calm")
  const final = await helper(client, server).finalChatCompletion()
  equal(final.choices[0].message.content, "Sea is calm")
  deepEqual(final.usage, { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 })
})

checkEach(
  openaiClients,
  "chat: an error frame, also as the first, ends the stream with an APIError and without a retry",
  async (server, client) => {
    for (const [index, text] of ["half of", undefined].entries()) {
      enqueue(server, "ChatCompletions", ScriptedResponse.sse(chat.error({ message: "M", text, model })))

      const { items, error } = await collectUntilError(stream(client, server))

      equal(textOf(items), text ?? "")
      ok(error instanceof client.sdk.APIError)
      equal(error.status, undefined)
      equal(server.requestCount(), index + 1)
    }
  }
)

checkEach(
  openaiClients,
  "chat: before the semantic end the client has no finish reason, before the terminal event it has",
  async (server, client) => {
    const matcher = InferenceRequestMatcher.auxiliary("ChatCompletions")
    const barriers = [{ at: "semanticEnd" }, { at: "terminal" }]
    const script = ScriptedResponse.sse(chat.text({ text: "Sea is calm", model }))
    const handle = server.expectResponse("stopped twice", matcher, script, { barriers })
    const chunks = (await stream(client, server))[Symbol.asyncIterator]()
    const next = async () => (await chunks.next()).value.choices[0]

    for (const delta of ["", "Sea", " is", " calm"]) equal((await next()).delta.content, delta)
    await handle.waitBlocked("semanticEnd")
    const finish = next()
    ok(await isPendingAfter(finish, 50))
    handle.release("semanticEnd")
    equal((await finish).finish_reason, "stop")
    const end = chunks.next()
    ok(await isPendingAfter(end, 50))
    handle.release()
    equal((await end).done, true)
    await handle.waitSatisfied()
  }
)
