import { deepEqual, equal, match } from "node:assert/strict"
import { InferenceRequestMatcher, ScriptedResponse } from "llm-understudy"
import { chat, chatReply, responses } from "llm-understudy/sse"
import { checkEach } from "../check.mjs"
import { collect, collectUntilError, rejection } from "../outcomes.mjs"
import { apiError, atOnce, attempts, cutAfter, halfOf, retryCounts, withHeaders } from "../scripts.mjs"
import { connect, openaiClients, resetMessage } from "./openai-clients.mjs"

const model = "test-model"
const messages = [{ role: "user", content: "hi" }]

const ask = (client, server) => connect(client, server).chat.completions.create({ model, messages })
const contentOf = (reply) => reply.choices[0].message.content

checkEach(
  openaiClients,
  "attempts: the client's own retries get the answers that were written for them, and the next turn gets its own",
  async (server, client) => {
    const auxiliary = InferenceRequestMatcher.auxiliary("ChatCompletions")
    const reply = (text) => ScriptedResponse.json(200, chatReply.text({ text, model }))
    server.setStrict(true)
    server.expectAttempts("first", auxiliary, [
      ScriptedResponse.hangUp("rst"),
      apiError("ChatCompletions", 429, { headers: atOnce }),
      reply("one")
    ])
    server.expectResponse("second", auxiliary, reply("two"))
    const api = connect(client, server)
    const asked = async (content) =>
      contentOf(await api.chat.completions.create({ model, messages: [{ role: "user", content }] }))

    deepEqual([await asked("hi"), await asked("and now")], ["one", "two"])
    deepEqual(retryCounts(server), ["0", "1", "2", "0"])
    server.verify()
  }
)

checkEach(
  openaiClients,
  "attempts: two calls that are tried again at once get their own answers, the later call first",
  async (server, client) => {
    const auxiliary = InferenceRequestMatcher.auxiliary("ChatCompletions")
    const names = ["calm", "warm"]
    server.setStrict(true)
    for (const name of names) {
      const failing = apiError("ChatCompletions", 429, { headers: atOnce })
      server.expectAttempts(name, auxiliary, [
        failing,
        ScriptedResponse.json(200, chatReply.text({ text: name, model }))
      ])
    }
    const api = connect(client, server)
    const asked = async (content) =>
      contentOf(await api.chat.completions.create({ model, messages: [{ role: "user", content }] }))
    const proceed = async (gathered, order) => {
      const held = await gathered
      for (const name of order) held.find(({ body }) => body.messages[0].content === name).proceed()
    }

    const [first, calls] = [server.gather(2), Promise.all(names.map(asked))]
    const second = first.then(() => server.gather(2))
    await proceed(first, names)
    await proceed(second, names.toReversed())

    deepEqual(await calls, names)
    deepEqual(attempts(server).toSorted(), [1, 1, 2, 2])
    server.verify()
  }
)

const streamed = {
  ChatCompletions: {
    create: (api, content) =>
      api.chat.completions.create({ model, messages: [{ role: "user", content }], stream: true }),
    script: (text) => ScriptedResponse.sse(chat.text({ text, model })),
    textOf: (chunks) => chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("")
  },
  Responses: {
    create: (api, content) => api.responses.create({ model, input: content, stream: true }),
    script: (text) => ScriptedResponse.sse(responses.text({ text, model })),
    textOf: (events) => events.map(({ type, delta }) => (type === "response.output_text.delta" ? delta : "")).join("")
  }
}

for (const [endpoint, { create, script, textOf }] of Object.entries(streamed)) {
  checkEach(
    openaiClients,
    `attempts: a stream of ${endpoint} reset after event 3 is an error; the second try is the program's, with its answer`,
    async (server, client) => {
      const auxiliary = InferenceRequestMatcher.auxiliary(endpoint)
      server.setStrict(true)
      server.expectAttempts("first", auxiliary, [cutAfter(withHeaders(script("lost"), atOnce), 3), script("again")])
      server.expectResponse("second", auxiliary, script("and warm"))
      const api = connect(client, server)

      const { items, error } = await collectUntilError(create(api, "hi"))

      equal(items.length, 3)
      match(error.message, resetMessage(client))
      equal(server.requestCount(), 1)
      equal(textOf(await collect(create(api, "and now"))), "and warm")
      equal(textOf(await collect(create(api, "hi"))), "again")
      deepEqual(attempts(server), [1, 1, 2])
      deepEqual(retryCounts(server), ["0", "0", "0"])
      server.verify()
    }
  )
}

checkEach(
  openaiClients,
  "attempts: a reply that is reset in its body is an error; the second try is the program's, with its answer",
  async (server, client) => {
    const auxiliary = InferenceRequestMatcher.auxiliary("ChatCompletions")
    const reply = (text) => ScriptedResponse.json(200, chatReply.text({ text, model }))
    server.setStrict(true)
    server.expectAttempts("first", auxiliary, [halfOf(reply("lost")), reply("again")])

    const error = await rejection(ask(client, server))

    match(error.message, resetMessage(client))
    equal(server.requestCount(), 1)
    equal(contentOf(await ask(client, server)), "again")
    deepEqual(attempts(server), [1, 2])
    server.verify()
  }
)
