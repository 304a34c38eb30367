import { deepEqual, equal, match, ok } from "node:assert/strict"
import { InferenceRequestMatcher, ScriptedResponse } from "llm-understudy"
import { messages as builders, encodeEvents } from "llm-understudy/sse"
import { checkEach } from "../check.mjs"
import { collect, collectUntilError, isPendingAfter, rejection, traced } from "../outcomes.mjs"
import { endingBy, enqueue, rawStream, withHeaders } from "../scripts.mjs"
import { astral, html, longWord } from "../texts.mjs"
import { anthropicClients, connect } from "./anthropic-clients.mjs"

const model = "test-model"
const request = { model, max_tokens: 100, messages: [{ role: "user", content: "hi" }] }

const stream = (client, server, options) =>
  connect(client, server, options).messages.create({ ...request, stream: true })
const final = (client, server) => connect(client, server).messages.stream(request).finalMessage()
const textOf = (events) => events.map(({ delta }) => delta?.text ?? "").join("")

for (const lineEnding of ["lf", "crlf", "cr"]) {
  checkEach(
    anthropicClients,
    `bytes: a stream with ${lineEnding} line ends gives the exact text`,
    async (server, client) => {
      enqueue(server, "Messages", rawStream(encodeEvents(builders.text({ text: astral, model }), lineEnding)))

      equal(textOf(await collect(stream(client, server))), astral)
    }
  )
}

checkEach(anthropicClients, "bytes: a word of 300 kB with every kind of trap arrives whole", async (server, client) => {
  server.setResponse(longWord)

  ok(textOf(await collect(stream(client, server))) === longWord)
  ok((await final(client, server)).content[0].text === longWord)
  ok((await connect(client, server).messages.create(request)).content[0].text === longWord)
})

checkEach(
  anthropicClients,
  "end: after message_stop on an open connection the client does not finish",
  async (server, client) => {
    enqueue(server, "Messages", endingBy(ScriptedResponse.sse(builders.text({ text: "hi", model })), "stall"))

    const open = collect(stream(client, server))
    ok(await isPendingAfter(open, 1_000))
    // A clean end finishes it.
    equal(textOf(await collect(stream(client, server))), "Echo: hi")
    open.catch(() => {})
  }
)

checkEach(
  anthropicClients,
  "end: a stream without message_stop gives its events, and the helper rejects it",
  async (server, client) => {
    const script = ScriptedResponse.sse(builders.text({ text: "Sea is", model }).slice(0, -1))
    enqueue(server, "Messages", script, script)

    equal(textOf(await collect(stream(client, server))), "Sea is")
    match((await rejection(final(client, server))).message, /stream ended without producing a Message/)
  }
)

checkEach(
  anthropicClients,
  "end: an error event after some text ends the helper with its type",
  async (server, client) => {
    enqueue(server, "Messages", ScriptedResponse.sse(builders.error({ text: "half of", message: "M", model })))

    const { items, error } = await collectUntilError(stream(client, server))

    equal(textOf(items), "half of")
    match(error.message, /api_error/)
  }
)

checkEach(
  anthropicClients,
  "bodies: HTML with status 200 is a stream of nothing, without an error",
  async (server, client) => {
    enqueue(server, "Messages", withHeaders(ScriptedResponse.text(200, html), [["content-type", "text/html"]]))

    deepEqual(await collect(stream(client, server)), [])
  }
)

checkEach(anthropicClients, "bodies: frames without names are no events", async (server, client) => {
  const events = builders.text({ text: "hi", model }).map(({ data }) => ({ event: null, data }))
  enqueue(server, "Messages", ScriptedResponse.sse(events))

  deepEqual(await collect(stream(client, server)), [])
})

checkEach(
  anthropicClients,
  "stalls: after the head no timeout of the client helps, and its abort ends the answer",
  async (server, client) => {
    const matcher = InferenceRequestMatcher.auxiliary("Messages")
    const script = ScriptedResponse.sse(builders.text({ text: "hi", model }))
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
  }
)
