import { deepEqual, equal, match } from "node:assert/strict"
import { InferenceRequestMatcher, ScriptedResponse } from "llm-understudy"
import { messages as builders, messagesReply } from "llm-understudy/sse"
import { checkEach } from "../check.mjs"
import { collect, collectUntilError, rejection } from "../outcomes.mjs"
import { apiError, atOnce, attempts, cutAfter, halfOf, retryCounts } from "../scripts.mjs"
import { anthropicClients, connect, resetMessage } from "./anthropic-clients.mjs"

const model = "test-model"
const request = { model, max_tokens: 100, messages: [{ role: "user", content: "hi" }] }

const ask = (client, server) => connect(client, server).messages.create(request)
const script = (text) => ScriptedResponse.sse(builders.text({ text, model }))
const textIn = (events) => events.map(({ delta }) => delta?.text ?? "").join("")
const textOf = (message) => message.content[0].text

checkEach(
  anthropicClients,
  "attempts: the client's own retries get the answers that were written for them, and the next turn gets its own",
  async (server, client) => {
    const auxiliary = InferenceRequestMatcher.auxiliary("Messages")
    const reply = (text) => ScriptedResponse.json(200, messagesReply.text({ text, model }))
    server.setStrict(true)
    server.expectAttempts("first", auxiliary, [ScriptedResponse.hangUp("rst"), reply("one")])
    server.expectResponse("second", auxiliary, reply("two"))
    const api = connect(client, server)
    const asked = async (content) =>
      textOf(await api.messages.create({ ...request, messages: [{ role: "user", content }] }))

    deepEqual([await asked("hi"), await asked("and now")], ["one", "two"])
    deepEqual(retryCounts(server), ["0", "1", "0"])
    server.verify()
  }
)

checkEach(
  anthropicClients,
  "attempts: two calls that are tried again at once get their own answers, the later call first",
  async (server, client) => {
    const auxiliary = InferenceRequestMatcher.auxiliary("Messages")
    const names = ["calm", "warm"]
    server.setStrict(true)
    for (const name of names) {
      const failing = apiError("Messages", 429, { headers: atOnce })
      server.expectAttempts(name, auxiliary, [
        failing,
        ScriptedResponse.json(200, messagesReply.text({ text: name, model }))
      ])
    }
    const api = connect(client, server)
    const asked = async (content) =>
      textOf(await api.messages.create({ ...request, messages: [{ role: "user", content }] }))
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

checkEach(
  anthropicClients,
  "attempts: a stream reset after event 3 is an error; the second try is the program's, with its answer",
  async (server, client) => {
    const auxiliary = InferenceRequestMatcher.auxiliary("Messages")
    server.setStrict(true)
    server.expectAttempts("first", auxiliary, [cutAfter(script("lost"), 3), script("again")])
    server.expectResponse("second", auxiliary, script("and warm"))
    const api = connect(client, server)
    const asked = (content) => api.messages.create({ ...request, messages: [{ role: "user", content }], stream: true })

    const { items, error } = await collectUntilError(asked("hi"))

    // The third is a ping, which it keeps to itself.
    deepEqual([items.length, server.requests()[0].answer.events], [2, 3])
    match(error.message, resetMessage(client))
    equal(server.requestCount(), 1)
    equal(textIn(await collect(asked("and now"))), "and warm")
    equal(textIn(await collect(asked("hi"))), "again")
    deepEqual(attempts(server), [1, 1, 2])
    deepEqual(retryCounts(server), ["0", "0", "0"])
    server.verify()
  }
)

checkEach(
  anthropicClients,
  "attempts: a reply that is reset in its body is an error; the second try is the program's, with its answer",
  async (server, client) => {
    const auxiliary = InferenceRequestMatcher.auxiliary("Messages")
    const reply = (text) => ScriptedResponse.json(200, messagesReply.text({ text, model }))
    server.setStrict(true)
    server.expectAttempts("first", auxiliary, [halfOf(reply("lost")), reply("again")])

    const error = await rejection(ask(client, server))

    match(error.message, resetMessage(client))
    equal(server.requestCount(), 1)
    equal(textOf(await ask(client, server)), "again")
    deepEqual(attempts(server), [1, 2])
    server.verify()
  }
)
