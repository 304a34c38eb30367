import { deepEqual, equal, ok } from "node:assert/strict"
import { InferenceRequestMatcher, ScriptedResponse } from "llm-understudy"
import { chat, chatReply, encodeEvents, responses } from "llm-understudy/sse"
import { checkEach } from "../check.mjs"
import { collect, isPendingAfter, rejection, traced } from "../outcomes.mjs"
import { apiError, endingBy, enqueue, rawStream, retryCounts, withHeaders } from "../scripts.mjs"
import { astral, html, longWord } from "../texts.mjs"
import { chatHelpers, connect, openaiClients } from "./openai-clients.mjs"

const model = "test-model"
const messages = [{ role: "user", content: "hi" }]

const stream = (client, server, options) =>
  connect(client, server, options).chat.completions.create({ model, messages, stream: true })
const textOf = (chunks) => chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("")
const deltasOf = (events) =>
  events.map(({ type, delta }) => (type === "response.output_text.delta" ? delta : "")).join("")

for (const lineEnding of ["lf", "crlf", "cr"]) {
  checkEach(
    openaiClients,
    `bytes: a stream with ${lineEnding} line ends gives the exact text`,
    async (server, client) => {
      enqueue(server, "ChatCompletions", rawStream(encodeEvents(chat.text({ text: astral, model }), lineEnding)))
      enqueue(server, "Responses", rawStream(encodeEvents(responses.text({ text: astral, model }), lineEnding)))

      equal(textOf(await collect(stream(client, server))), astral)
      const events = connect(client, server).responses.create({ model, input: "hi", stream: true })
      equal(deltasOf(await collect(events)), astral)
    }
  )
}

checkEach(openaiClients, "bytes: a word of 300 kB with every kind of trap arrives whole", async (server, client) => {
  server.setResponse(longWord)
  const api = connect(client, server)

  ok(longWord.length > 190_000 && !longWord.includes(" "))
  ok(textOf(await collect(stream(client, server))) === longWord)
  ok((await chatHelpers(client, api).stream({ model, messages }).finalContent()) === longWord)
  ok(deltasOf(await collect(api.responses.create({ model, input: "hi", stream: true }))) === longWord)
  ok((await api.responses.create({ model, input: "hi" })).output_text === longWord)
})

checkEach(openaiClients, "end: after [DONE] on an open connection only version 7 finishes", async (server, client) => {
  enqueue(server, "ChatCompletions", endingBy(ScriptedResponse.sse(chat.text({ text: "hi", model })), "stall"))

  const open = collect(stream(client, server))
  equal(await isPendingAfter(open, 1_000), client.major < 7)
  // A clean end finishes all of them.
  equal(textOf(await collect(stream(client, server))), "Echo: hi")
  open.catch(() => {})
})

checkEach(
  openaiClients,
  "bodies: HTML with status 200 is a stream of nothing, without an error",
  async (server, client) => {
    enqueue(server, "ChatCompletions", withHeaders(ScriptedResponse.text(200, html), [["content-type", "text/html"]]))

    deepEqual(await collect(stream(client, server)), [])
  }
)

checkEach(
  openaiClients,
  "bodies: an error body with status 200 is a stream of nothing, without an error",
  async (server, client) => {
    enqueue(server, "ChatCompletions", { ...apiError("ChatCompletions", 500), status: 200 })

    deepEqual(await collect(stream(client, server)), [])
  }
)

checkEach(
  openaiClients,
  "bodies: a JSON reply that says text/plain is a string to the client",
  async (server, client) => {
    const text = JSON.stringify(chatReply.text({ text: "hi", model }))
    enqueue(server, "ChatCompletions", ScriptedResponse.text(200, text))

    equal(await connect(client, server).chat.completions.create({ model, messages }), text)
  }
)

checkEach(
  openaiClients,
  "stalls: after the head no timeout of the client helps, and its abort ends the answer",
  async (server, client) => {
    const matcher = InferenceRequestMatcher.auxiliary("ChatCompletions")
    const script = ScriptedResponse.sse(chat.text({ text: "hi", model }))
    const handle = server.expectResponse("silent", matcher, script, { barriers: [{ at: { afterEvent: 0 } }] })
    const options = { timeout: 500, maxRetries: 0 }
    const open = await stream(client, server, options)
    const reading = collect(open)
    await handle.waitBlocked()

    ok(await isPendingAfter(reading, 2 * options.timeout))
    open.controller.abort()
    await reading.catch(() => {})
    const { outcome } = await traced(server, ({ type }) => type === "ended")
    equal(outcome, "client_closed")
    equal(handle.phase, "Abandoned")
  }
)

checkEach(
  openaiClients,
  "stalls: before the head the timeout of the client ends each attempt",
  async (server, client) => {
    for (let attempt = 0; attempt < 3; attempt++) enqueue(server, "ChatCompletions", ScriptedResponse.hangUp("stall"))

    const error = await rejection(stream(client, server, { timeout: 100 }))

    ok(error instanceof client.sdk.APIConnectionTimeoutError)
    deepEqual(retryCounts(server), ["0", "1", "2"])
  }
)
