import { deepEqual, equal, match, ok } from "node:assert/strict"
import { InferenceRequestMatcher, ScriptedResponse } from "llm-understudy"
import { responses } from "llm-understudy/sse"
import { checkEach } from "../check.mjs"
import { collect, collectUntilError, isPendingAfter, rejection } from "../outcomes.mjs"
import { enqueue, expectTurns, requestsOf } from "../scripts.mjs"
import { connect, openaiClients } from "./openai-clients.mjs"

const model = "test-model"
const input = "hi  there"
const depth = { callId: "call_kelp", name: "depth", arguments: '{"m": 40}' }

const stream = (client, server, body = {}) =>
  connect(client, server).responses.create({ model, input, stream: true, ...body })
const final = (client, server, body = {}) =>
  connect(client, server)
    .responses.stream({ model, input, ...body })
    .finalResponse()
// Version 4 has `output_text` on JSON replies only.
const textOf = ({ output, output_text: computed = output.at(-1).content[0].text }) => computed
const typesOf = (items) => items.map(({ type }) => type)
const deltasOf = (events, type = "response.output_text.delta") =>
  events
    .filter((event) => event.type === type)
    .map(({ delta }) => delta)
    .join("")

checkEach(
  openaiClients,
  "responses: raw iteration gives the text and ends with the completed response",
  async (server, client) => {
    const events = await collect(stream(client, server))

    equal(deltasOf(events), "Echo: hi  there")
    equal(events[0].type, "response.created")
    equal(events.at(-1).type, "response.completed")
    deepEqual(
      events.map((event) => event.sequence_number),
      events.map((_, index) => index)
    )
  }
)

checkEach(openaiClients, "responses: the helper gives the text and its usage", async (server, client) => {
  server.setResponse("Sea is  calm\n")

  const response = await final(client, server)

  equal(textOf(response), "Sea is  calm\n")
  equal(response.status, "completed")
  equal(response.usage.total_tokens, response.usage.input_tokens + response.usage.output_tokens)
})

checkEach(
  openaiClients,
  "responses: without stream the answer is JSON, though the accept header is the same",
  async (server, client) => {
    const reply = await connect(client, server).responses.create({ model, input, stream: false })
    await collect(stream(client, server))

    equal(reply.output_text, "Echo: hi  there")
    equal(reply.status, "completed")
    equal(reply._request_id, "req_mock")
    const accepts = server.requests().map((entry) => entry.header("accept"))
    deepEqual(accepts, ["application/json", "application/json"])
  }
)

checkEach(openaiClients, "responses: the helper reads a response that was queued first", async (server, client) => {
  enqueue(server, "Responses", ScriptedResponse.sse(responses.queued({ text: "at last", model })))

  equal(textOf(await final(client, server)), "at last")
})

checkEach(
  openaiClients,
  "responses: in a tool loop the second turn carries the call and its output",
  async (server, client) => {
    const assertServed = expectTurns(
      server,
      "Responses",
      ScriptedResponse.sse(responses.thinkThenCall({ reasoning: "hm hm", ...depth, model })),
      ScriptedResponse.sse(responses.text({ text: "It is 40 m deep", model }))
    )
    const tools = ["depth", "width"].map((name) => ({ type: "function", name, parameters: {}, strict: false }))
    const first = await final(client, server, { tools })
    const call = first.output.find(({ type }) => type === "function_call")
    const output = { type: "function_call_output", call_id: call.call_id, output: "done" }
    const second = await final(client, server, {
      tools,
      input: [{ role: "user", content: input }, ...first.output, output]
    })

    equal(textOf(second), "It is 40 m deep")
    deepEqual(typesOf(requestsOf(server, "Responses")[1].body.input.slice(1)), [
      "reasoning",
      "function_call",
      "function_call_output"
    ])
    assertServed()
  }
)

checkEach(
  openaiClients,
  "responses: the helper resolves with status in_progress when the stream ends early",
  async (server, client) => {
    enqueue(server, "Responses", ScriptedResponse.sse(responses.text({ text: "Sea is calm", model }).slice(0, -1)))

    equal((await final(client, server)).status, "in_progress")
  }
)

checkEach(
  openaiClients,
  "responses: profile compact is for raw iteration, and the helper rejects it",
  async (server, client) => {
    server.setProfile("compact")
    server.setResponse("Sea is calm")

    const events = await collect(stream(client, server))

    equal(deltasOf(events), "Sea is calm")
    deepEqual([events[0].type, events.at(-1).type], ["response.created", "response.completed"])
    match((await rejection(final(client, server))).message, /missing output at index 0/)
  }
)

checkEach(
  openaiClients,
  "responses: the repetition detector's frame is yielded raw, and the helper rejects it",
  async (server, client) => {
    const labels = ["tail_repetition:4@response", "tail_repetition:2@response"]
    const script = ScriptedResponse.sse(responses.doomCheck({ labels, reasoning: "la la la", model }))
    enqueue(server, "Responses", script, script)

    const events = await collect(stream(client, server))
    const found = events.filter(({ type }) => type === "response.doom_loop_check")

    deepEqual(
      found.map(({ doom_loop_check: { triggers } }) => triggers),
      [labels.slice(0, 1), labels]
    )
    deepEqual(events.at(-1).response.doom_loop_check, { triggers: labels })
    // Version 4 ignores what it does not know.
    if (client.major === 4) return equal((await final(client, server)).status, "completed")
    match((await rejection(final(client, server))).message, /Unhandled response stream event/)
  }
)

const errorFrames = {
  "flat and named": { shape: "flat", named: true, yieldedBy: [6] },
  "flat and unnamed": { shape: "flat", named: false, yieldedBy: [4, 6, 7] },
  "nested and named": { shape: "nested", named: true, yieldedBy: [] },
  "nested and unnamed": { shape: "nested", named: false, yieldedBy: [] }
}

for (const [name, { shape, named, yieldedBy }] of Object.entries(errorFrames)) {
  checkEach(
    openaiClients,
    `responses: an error frame, ${name}, is an item or an error as documented`,
    async (server, client) => {
      const script = ScriptedResponse.sse(responses.error({ message: "M", text: "half of", shape, named, model }))
      enqueue(server, "Responses", script)

      const { items, error } = await collectUntilError(stream(client, server))

      equal(deltasOf(items), "half of")
      equal(items.at(-1).type === "error", yieldedBy.includes(client.major))
      equal(error instanceof client.sdk.APIError, !yieldedBy.includes(client.major))
      equal(server.requestCount(), 1)
    }
  )
}

checkEach(
  openaiClients,
  "responses: at the terminal barrier the client of profile compact has the completed response",
  async (server, client) => {
    const script = ScriptedResponse.sse(responses.text({ text: "Sea is calm", profile: "compact", model }))
    const types = await stoppedAt("terminal", script, { server, client })

    equal(types.at(-1), "response.completed")
  }
)

checkEach(
  openaiClients,
  "responses: at the semantic end the client of profile compact has no completed response",
  async (server, client) => {
    const script = ScriptedResponse.sse(responses.text({ text: "Sea is calm", profile: "compact", model }))
    const types = await stoppedAt("semanticEnd", script, { server, client })

    equal(types.at(-1), "response.output_text.delta")
  }
)

/** What a client has seen while its answer stands at a barrier; afterwards the answer is released and read to its end. */
const stoppedAt = async (at, script, { server, client }) => {
  const matcher = InferenceRequestMatcher.auxiliary("Responses")
  const handle = server.expectResponse("stopped", matcher, script, { barriers: [{ at }] })
  const events = await stream(client, server)
  const types = []
  const reading = (async () => {
    for await (const event of events) types.push(event.type)
  })()
  await handle.waitBlocked()
  ok(await isPendingAfter(reading, 50))
  const seen = [...types]
  handle.release()
  await reading
  await handle.waitSatisfied()
  return seen
}
