import { deepEqual, equal, match, ok } from "node:assert/strict"
import { MockModelEntry, ScriptedResponse } from "llm-understudy"
import { chat, chatReply } from "llm-understudy/sse"
import { checkEach, clientsOf, load } from "../check.mjs"
import { collect, collectUntilError, rejection } from "../outcomes.mjs"
import { apiError, endingBy, enqueue, expectTurns, requestsOf } from "../scripts.mjs"
import { astral, longWord } from "../texts.mjs"

const clients = await clientsOf("mistral", [{ name: "2.7.0", set: "sdks", package: "@mistralai/mistralai" }])
const { MistralError, SDKError } = await load("@mistralai/mistralai/models/errors")

const model = "test-model"
const messages = [{ role: "user", content: "hi  there" }]
const depth = { callId: "call_kelp", name: "depth", arguments: '{"m": 40}' }
const width = { callId: "call_reef", name: "width", arguments: '{"m":7}' }

const connect = ({ sdk }, server, options = {}) =>
  new sdk.Mistral({ apiKey: "k", serverURL: server.origin(), ...options })
const ask = (client, server, options) => connect(client, server, options).chat.complete({ model, messages })
const stream = (client, server, body = {}) => connect(client, server).chat.stream({ model, messages, ...body })
const textOf = (events) => events.map(({ data }) => data.choices[0]?.delta.content ?? "").join("")
const contentOf = (reply) => reply.choices[0].message.content

checkEach(clients, "chat: a stream gives the text, chunk by chunk valid", async (server, client) => {
  const events = await collect(stream(client, server))

  equal(textOf(events), "Echo: hi  there")
  equal(events.at(-1).data.choices[0].finishReason, "stop")
})

checkEach(clients, "chat: without stream the answer is JSON", async (server, client) => {
  const reply = await ask(client, server)

  equal(contentOf(reply), "Echo: hi  there")
  equal(reply.usage.totalTokens, reply.usage.promptTokens + reply.usage.completionTokens)
})

for (const [name, builder, input, text] of [
  ["empty text", "text", { text: "" }, ""],
  ["reasoning and text", "reasoningText", { reasoning: "let me see", text: "yes" }, "yes"],
  ["reasoning only", "reasoning", { reasoning: "let me see" }, ""]
]) {
  checkEach(clients, `chat: reads ${name}, streamed and in JSON`, async (server, client) => {
    enqueue(server, "ChatCompletions", ScriptedResponse.sse(chat[builder]({ ...input, model })))
    enqueue(server, "ChatCompletions", ScriptedResponse.json(200, chatReply[builder]({ ...input, model })))

    equal(textOf(await collect(stream(client, server))), text)
    equal(contentOf(await ask(client, server)), text)
  })
}

checkEach(clients, "chat: reads parallel calls, streamed in whole pieces and in JSON", async (server, client) => {
  const input = { calls: [depth, width], model }
  enqueue(server, "ChatCompletions", ScriptedResponse.sse(chat.calls({ ...input, wholeCalls: true })))
  enqueue(server, "ChatCompletions", ScriptedResponse.json(200, chatReply.calls(input)))

  const events = await collect(stream(client, server))
  deepEqual(events.flatMap(({ data }) => data.choices[0].delta.toolCalls ?? []).map(callOf), [depth, width])
  const [{ message, finishReason }] = (await ask(client, server)).choices
  deepEqual(message.toolCalls.map(callOf), [depth, width])
  equal(finishReason, "tool_calls")
})

const callOf = (call) => ({ callId: call.id, name: call.function.name, arguments: call.function.arguments })

checkEach(clients, "chat: in a tool loop the second turn carries the call and its result", async (server, client) => {
  const assertServed = expectTurns(
    server,
    "ChatCompletions",
    ScriptedResponse.json(200, chatReply.call({ ...depth, model })),
    ScriptedResponse.sse(chat.text({ text: "It is 40 m deep", model }))
  )
  const tools = ["depth", "width"].map((name) => ({ type: "function", function: { name, parameters: {} } }))
  const [{ message }] = (await connect(client, server).chat.complete({ model, messages, tools })).choices
  const [call] = message.toolCalls
  const result = { role: "tool", toolCallId: call.id, name: call.function.name, content: "done" }
  const second = await collect(stream(client, server, { tools, messages: [...messages, message, result] }))

  equal(textOf(second), "It is 40 m deep")
  const [, made, answered] = requestsOf(server, "ChatCompletions")[1].body.messages
  deepEqual([made.tool_calls[0].id, answered.tool_call_id], [depth.callId, depth.callId])
  assertServed()
})

checkEach(clients, "chat: profile compact is read as well", async (server, client) => {
  server.setProfile("compact")
  server.setResponse("Sea is calm")

  equal(textOf(await collect(stream(client, server))), "Sea is calm")
})

checkEach(clients, "chat: the text is exact, whatever it is", async (server, client) => {
  for (const text of [astral, longWord]) {
    server.setResponse(text)
    ok(textOf(await collect(stream(client, server))) === text)
    ok(contentOf(await ask(client, server)) === text)
  }
})

// Its own entries have the type `base`, and ours, which Anthropic's client reads as well, `model`.
checkEach(
  clients,
  "models: the list and one of them are entries of a type that it does not know",
  async (server, client) => {
    server.setModels(["model-a", "model-b"].map(MockModelEntry.new))
    const { models } = connect(client, server)

    const { data } = await models.list()
    deepEqual(
      data.map(({ raw }) => raw.id),
      ["model-a", "model-b"]
    )
    equal((await models.retrieve({ modelId: "model-b" })).raw.id, "model-b")
  }
)

for (const status of [400, 401, 404, 429, 500]) {
  checkEach(
    clients,
    `errors: ${status} is an error with status and body, after one request`,
    async (server, client) => {
      enqueue(server, "ChatCompletions", apiError("ChatCompletions", status))

      const error = await rejection(ask(client, server))

      ok(error instanceof SDKError)
      equal(error.statusCode, status)
      equal(JSON.parse(error.body).error.message, "M")
      equal(server.requestCount(), 1)
    }
  )
}

checkEach(clients, "retries: asked to, it makes three requests of 429, 500 and an answer", async (server, client) => {
  enqueue(server, "ChatCompletions", ...[429, 500].map((status) => apiError("ChatCompletions", status)))
  const backoff = { initialInterval: 1, maxInterval: 1, exponent: 1, maxElapsedTime: 10_000 }

  const reply = await ask(client, server, {
    retryConfig: { strategy: "backoff", backoff, retryConnectionErrors: true }
  })

  equal(contentOf(reply), "Echo: hi  there")
  equal(server.requestCount(), 3)
})

checkEach(clients, "errors: an error frame and a cut end the stream in an error", async (server, client) => {
  const [error, text] = ["error", "text"].map((builder) => chat[builder]({ text: "half of", message: "M", model }))
  const cut = endingBy(ScriptedResponse.sse(text.slice(0, 3)), "rst")
  enqueue(server, "ChatCompletions", ScriptedResponse.sse(error), cut)

  for (const _ of [error, cut]) {
    const seen = await collectUntilError(stream(client, server))
    equal(textOf(seen.items), "half of")
    ok(seen.error instanceof Error)
  }
})

checkEach(clients, "auth: the required key passes, another one is a 401", async (server, client) => {
  server.setRequiredToken("secret")

  equal(contentOf(await ask(client, server, { apiKey: "secret" })), "Echo: hi  there")
  const error = await rejection(ask(client, server, { apiKey: "wrong" }))
  ok(error instanceof MistralError)
  equal(error.statusCode, 401)
  match(error.body, /missing API key/)
})
