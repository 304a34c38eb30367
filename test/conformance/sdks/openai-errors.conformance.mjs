import { deepEqual, equal, match, ok } from "node:assert/strict"
import { MockModelEntry, ScriptedResponse } from "llm-understudy"
import { chat } from "llm-understudy/sse"
import { checkEach } from "../check.mjs"
import { collectUntilError, rejection } from "../outcomes.mjs"
import { apiError, atOnce, cutAfter, endingBy, enqueue, requestsOf, retryCounts, withHeaders } from "../scripts.mjs"
import { connect, openaiClients, resetMessage } from "./openai-clients.mjs"

const model = "test-model"
const messages = [{ role: "user", content: "hi" }]
const never = { maxRetries: 0 }

const ask = (client, server, options) => connect(client, server, options).chat.completions.create({ model, messages })
const stream = (client, server) => connect(client, server).chat.completions.create({ model, messages, stream: true })
const contentOf = (reply) => reply.choices[0].message.content
const answer = ScriptedResponse.sse(chat.text({ text: "hi", model }))
// Version 4 spells it otherwise.
const requestIdOf = (error) => error.requestID ?? error.request_id

const classes = [
  [400, "BadRequestError", "invalid_request_error", null],
  [403, "PermissionDeniedError", "request_forbidden", "unsupported_country_region_territory"],
  [404, "NotFoundError", "invalid_request_error", "model_not_found"],
  [422, "UnprocessableEntityError", "invalid_request_error", null],
  [429, "RateLimitError", "requests", "rate_limit_exceeded"],
  [500, "InternalServerError", "server_error", null],
  [503, "InternalServerError", "service_unavailable", null]
]

for (const [status, name, type, code] of classes) {
  for (const endpoint of ["ChatCompletions", "Responses"]) {
    checkEach(
      openaiClients,
      `errors: ${status} of ${endpoint} is a ${name} with its type and code`,
      async (server, client) => {
        enqueue(server, endpoint, apiError(endpoint, status, { headers: [["x-request-id", "req_one"]] }))
        const api = connect(client, server, never)
        const call =
          endpoint === "Responses"
            ? api.responses.create({ model, input: "hi" })
            : api.chat.completions.create({ model, messages })

        const error = await rejection(call)

        ok(error instanceof client.sdk[name], error.constructor.name)
        deepEqual([error.status, error.type, error.code ?? null, error.message], [status, type, code, `${status} M`])
        equal(requestIdOf(error), "req_one")
      }
    )
  }
}

checkEach(
  openaiClients,
  "errors: message, type, code and param of a body are those of the error",
  async (server, client) => {
    const body = { error: { message: "M", type: "T", code: "C", param: "P" } }
    enqueue(server, "ChatCompletions", ScriptedResponse.json(400, body))

    const error = await rejection(ask(client, server))

    deepEqual([error.message, error.type, error.code, error.param], ["400 M", "T", "C", "P"])
  }
)

checkEach(openaiClients, "errors: a model that is not there is a NotFoundError", async (server, client) => {
  const error = await rejection(connect(client, server).models.retrieve("no-such-model"))

  ok(error instanceof client.sdk.NotFoundError)
  equal(error.code, "model_not_found")
})

checkEach(
  openaiClients,
  "errors: a path that is not there is a NotFoundError with a message",
  async (server, client) => {
    const error = await rejection(connect(client, server).post("/no/such/path", { body: {} }))

    ok(error instanceof client.sdk.NotFoundError)
    match(error.message, /no route for POST \/v1\/no\/such\/path/)
  }
)

checkEach(
  openaiClients,
  "auth: the required key passes, another one is an AuthenticationError",
  async (server, client) => {
    server.setRequiredToken("secret")

    equal(contentOf(await ask(client, server, { apiKey: "secret" })), "Echo: hi")
    const error = await rejection(ask(client, server, { apiKey: "wrong" }))
    ok(error instanceof client.sdk.AuthenticationError)
    equal(error.code, "invalid_api_key")
    equal(server.requestCount(), 2)
  }
)

checkEach(openaiClients, "auth: the refusal of profile compact has its text and no code", async (server, client) => {
  server.setProfile("compact")
  server.setRequiredToken("secret")

  const error = await rejection(ask(client, server))

  ok(error instanceof client.sdk.AuthenticationError)
  match(error.message, /missing API key/)
  equal(error.code ?? undefined, undefined)
})

checkEach(openaiClients, "models: the list and one of them", async (server, client) => {
  server.setModels(["model-a", "vendor/model-b"].map(MockModelEntry.new))
  const { models } = connect(client, server)

  const listed = []
  for await (const entry of models.list()) listed.push(entry.id)

  deepEqual(listed, ["model-a", "vendor/model-b"])
  const one = await models.retrieve("vendor/model-b")
  deepEqual([one.id, one.object, one.created], ["vendor/model-b", "model", 1234567890])
})

checkEach(openaiClients, "base URL: works with /v1 and without", async (server, client) => {
  for (const baseURL of [server.url(), server.origin()]) {
    const api = connect(client, server, { baseURL })
    equal(contentOf(await api.chat.completions.create({ model, messages })), "Echo: hi")
    equal((await api.responses.create({ model, input: "hi" })).output_text, "Echo: hi")
    equal((await api.models.list()).data.length, 1)
  }
  equal(requestsOf(server, "ChatCompletions").length, 2)
  equal(requestsOf(server, "Responses").length, 2)
})

checkEach(
  openaiClients,
  "retries: 429, 500 and then an answer are one call and three requests",
  async (server, client) => {
    const failing = [429, 500].map((status) => apiError("ChatCompletions", status, { headers: atOnce }))
    enqueue(server, "ChatCompletions", ...failing)

    equal(contentOf(await ask(client, server)), "Echo: hi")
    deepEqual(retryCounts(server), ["0", "1", "2"])
    const [first, ...later] = server.requestBodies()
    for (const body of later) deepEqual(body, first)
  }
)

checkEach(openaiClients, "retries: without any, a 429 surfaces after one request", async (server, client) => {
  enqueue(server, "ChatCompletions", apiError("ChatCompletions", 429, { headers: atOnce }))

  ok((await rejection(ask(client, server, never))) instanceof client.sdk.RateLimitError)
  equal(server.requestCount(), 1)
})

checkEach(openaiClients, "retries: x-should-retry overrules the status", async (server, client) => {
  const retried = apiError("ChatCompletions", 400, { headers: [...atOnce, ["x-should-retry", "true"]] })
  enqueue(server, "ChatCompletions", retried, retried, retried)
  await rejection(ask(client, server))
  equal(server.requestCount(), 3)

  enqueue(server, "ChatCompletions", apiError("ChatCompletions", 429, { headers: [["x-should-retry", "false"]] }))
  await rejection(ask(client, server))
  equal(server.requestCount(), 4)
})

checkEach(
  openaiClients,
  "retries: 529 is retried, and a retry-after in seconds is honoured",
  async (server, client) => {
    enqueue(server, "ChatCompletions", apiError("ChatCompletions", 529, { headers: [["retry-after", "0.01"]] }))

    equal(contentOf(await ask(client, server)), "Echo: hi")
    equal(server.requestCount(), 2)
  }
)

for (const ending of ["fin", "rst"]) {
  checkEach(
    openaiClients,
    `retries: a connection that ends (${ending}) before the head is tried again`,
    async (server, client) => {
      enqueue(server, "ChatCompletions", ScriptedResponse.hangUp(ending), ScriptedResponse.hangUp(ending))

      equal(contentOf(await ask(client, server)), "Echo: hi")
      deepEqual(retryCounts(server), ["0", "1", "2"])
    }
  )

  checkEach(
    openaiClients,
    `retries: a stream that is cut (${ending}) after the head is an error after one request`,
    async (server, client) => {
      enqueue(server, "ChatCompletions", endingBy(cutAfter(withHeaders(answer, atOnce), 2), ending))

      const { items, error } = await collectUntilError(stream(client, server))

      equal(items.length, 2)
      match(error.message, resetMessage(client))
      equal(server.requestCount(), 1)
    }
  )
}

checkEach(
  openaiClients,
  "retries: 408, 409, 429 and what is 500 or more are tried again, other errors never",
  async (server, client) => {
    const retried = [408, 409, 429, 500, 502, 529]
    const final = [400, 401, 402, 403, 404, 413, 422, 425, 499]
    for (const status of [...retried, ...final]) {
      const before = server.requestCount()
      enqueue(server, "ChatCompletions", apiError("ChatCompletions", status, { headers: atOnce }))
      const isRetried = retried.includes(status)
      if (isRetried) equal(contentOf(await ask(client, server)), "Echo: hi")
      else equal((await rejection(ask(client, server))).status, status)
      equal(server.requestCount() - before, isRetried ? 2 : 1, String(status))
    }
  }
)
