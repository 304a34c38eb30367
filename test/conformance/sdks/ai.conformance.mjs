import { deepEqual, equal, match, ok } from "node:assert/strict"
import { ScriptedResponse } from "llm-understudy"
import { chat, chatReply, messages, messagesReply, responses, responsesReply } from "llm-understudy/sse"
import { checkEach, load } from "../check.mjs"
import { collectUntilError, rejection } from "../outcomes.mjs"
import { apiError, atOnce, endingBy, enqueue, expectTurns, requestsOf } from "../scripts.mjs"
import { astral, longWord } from "../texts.mjs"
import { aiClients, modelOf } from "./ai-clients.mjs"

const { APICallError, generateObject, generateText, RetryError, stepCountIs, streamText, tool } = await load("ai")
const { z } = await load("zod")

globalThis.AI_SDK_LOG_WARNINGS = false

const model = "test-model"
const prompt = "hi  there"
const depth = { callId: "call_kelp", name: "depth", arguments: '{"m": 40}' }
const width = { callId: "call_reef", name: "width", arguments: '{"m":7}' }
const streams = { ChatCompletions: chat, Responses: responses, Messages: messages }
const replies = { ChatCompletions: chatReply, Responses: responsesReply, Messages: messagesReply }

/** A scenario of the endpoint that a client talks to, streamed or as JSON. */
const scripted = ({ endpoint, builderOptions = {} }, { isStreamed, builder, ...input }) =>
  isStreamed
    ? ScriptedResponse.sse(streams[endpoint][builder]({ ...input, ...builderOptions, includeUsage: true, model }))
    : ScriptedResponse.json(200, replies[endpoint][builder]({ ...input, model }))

/** Asks in one of the two ways and waits for all of the answer; errors are not logged. */
const ask = async (client, server, { isStreamed, modelOptions, ...options }) => {
  const settings = { model: modelOf(client, server, modelOptions), prompt, onError: () => {}, ...options }
  const result = isStreamed ? streamText(settings) : await generateText(settings)
  const [text, reasoningText, finishReason, usage, toolCalls, steps] = await Promise.all([
    result.text,
    result.reasoningText,
    result.finishReason,
    result.usage,
    result.toolCalls,
    result.steps
  ])
  return { text, reasoningText, finishReason, usage, toolCalls, steps }
}

const noTools = ["depth", "width"].map((name) => [name, tool({ inputSchema: z.object({ m: z.number() }) })])
const callOf = ({ toolCallId, toolName, input }) => [toolCallId, toolName, input]

for (const isStreamed of [true, false]) {
  const how = isStreamed ? "streamText" : "generateText"

  checkEach(aiClients, `${how}: text, finish reason and usage`, async (server, client) => {
    const { text, finishReason, usage } = await ask(client, server, { isStreamed })

    deepEqual([text, finishReason], ["Echo: hi  there", "stop"])
    equal(usage.inputTokens, 10)
    ok(usage.outputTokens > 0)
    equal(requestsOf(server, client.endpoint).length, 1)
  })

  checkEach(aiClients, `${how}: reasoning and text`, async (server, client) => {
    const builder = client.endpoint === "Messages" ? "thinkingText" : "reasoningText"
    enqueue(server, client.endpoint, scripted(client, { isStreamed, builder, reasoning: "let me see", text: "yes" }))

    const { text, reasoningText } = await ask(client, server, { isStreamed })

    deepEqual([text, reasoningText], ["yes", client.hidesReasoning ? undefined : "let me see"])
  })

  checkEach(aiClients, `${how}: parallel calls`, async (server, client) => {
    enqueue(server, client.endpoint, scripted(client, { isStreamed, builder: "calls", calls: [depth, width] }))

    const { toolCalls, finishReason } = await ask(client, server, { isStreamed, tools: Object.fromEntries(noTools) })

    deepEqual(toolCalls.map(callOf), [
      ["call_kelp", "depth", { m: 40 }],
      ["call_reef", "width", { m: 7 }]
    ])
    equal(finishReason, "tool-calls")
  })

  checkEach(aiClients, `${how}: the tool loop answers the call and gets the second turn`, async (server, client) => {
    const assertServed = expectTurns(
      server,
      client.endpoint,
      scripted(client, { isStreamed, builder: "call", ...depth }),
      scripted(client, { isStreamed, builder: "text", text: "It is 40 m deep" })
    )
    const asked = []
    const tools = Object.fromEntries(
      ["depth", "width"].map((name) => {
        const execute = (input) => {
          asked.push([name, input])
          return "done"
        }
        return [name, tool({ inputSchema: z.object({ m: z.number() }), execute })]
      })
    )

    const { text, steps } = await ask(client, server, { isStreamed, tools, stopWhen: stepCountIs(3) })

    deepEqual([text, steps.length], ["It is 40 m deep", 2])
    deepEqual(asked, [["depth", { m: 40 }]])
    match(JSON.stringify(requestsOf(server, client.endpoint)[1].body), /call_kelp.*done|done.*call_kelp/)
    assertServed()
  })

  checkEach(
    aiClients,
    `${how}: 429, 500 and then an answer are one call and three requests`,
    async (server, client) => {
      enqueue(
        server,
        client.endpoint,
        ...[429, 500].map((status) => apiError(client.endpoint, status, { headers: atOnce }))
      )

      equal((await ask(client, server, { isStreamed })).text, "Echo: hi  there")
      equal(server.requestCount(), 3)
    }
  )

  checkEach(aiClients, `${how}: the text is exact, whatever it is`, async (server, client) => {
    for (const text of [astral, longWord, "a  b\tc\n\n```\n  x\n```\n"]) {
      server.setResponse(text)
      ok((await ask(client, server, { isStreamed })).text === text)
    }
  })
}

checkEach(aiClients, "generateObject: JSON text becomes the object", async (server, client) => {
  server.setResponse('{"depth": 40}')

  const { object } = await generateObject({
    model: modelOf(client, server),
    prompt,
    schema: z.object({ depth: z.number() })
  })

  deepEqual(object, { depth: 40 })
})

for (const status of [400, 401, 404, 429, 500]) {
  checkEach(aiClients, `errors: ${status} is an APICallError with message and body`, async (server, client) => {
    enqueue(server, client.endpoint, apiError(client.endpoint, status))

    const error = await rejection(ask(client, server, { maxRetries: 0 }))

    ok(APICallError.isInstance(error))
    deepEqual([error.statusCode, error.message, error.isRetryable], [status, "M", status >= 429])
    equal(error.responseHeaders["x-request-id"], "req_mock")
    equal(server.requestCount(), 1)
  })
}

checkEach(aiClients, "errors: after three failures the error names the last", async (server, client) => {
  const failing = apiError(client.endpoint, 500, { headers: atOnce })
  enqueue(server, client.endpoint, failing, failing, failing)

  const error = await rejection(ask(client, server, {}))

  ok(RetryError.isInstance(error))
  deepEqual([error.reason, error.errors.length, error.lastError.statusCode], ["maxRetriesExceeded", 3, 500])
  equal(server.requestCount(), 3)
})

const faults = {
  "an error frame": ({ error }) => ScriptedResponse.sse(error({ text: "half of", message: "M", model })),
  "a cut": ({ text }) => endingBy(ScriptedResponse.sse(text({ text: "half of", model }).slice(0, 3)), "rst")
}

for (const [name, script] of Object.entries(faults)) {
  checkEach(aiClients, `errors: ${name} in a stream is an error after one request`, async (server, client) => {
    enqueue(server, client.endpoint, script(streams[client.endpoint]))
    const { fullStream } = streamText({ model: modelOf(client, server), prompt, onError: () => {}, maxRetries: 0 })

    const { items, error } = await collectUntilError(fullStream)

    ok(error !== undefined || items.some(({ type }) => type === "error"))
    equal(server.requestCount(), 1)
  })
}

checkEach(aiClients, "auth: the required key passes, another one is a 401", async (server, client) => {
  server.setRequiredToken("secret")

  const { text } = await ask(client, server, { modelOptions: { apiKey: "secret" } })
  equal(text, "Echo: hi  there")
  const error = await rejection(ask(client, server, { modelOptions: { apiKey: "wrong" } }))
  equal(error.statusCode, 401)
  match(error.message, /missing API key/)
})

checkEach(aiClients, "base URL: works without /v1 as well", async (server, client) => {
  const { text } = await ask(client, server, { modelOptions: { baseURL: server.origin() } })

  equal(text, "Echo: hi  there")
  equal(requestsOf(server, client.endpoint).length, 1)
})
