import { deepEqual, equal, match, ok } from "node:assert/strict"
import { ScriptedResponse } from "llm-understudy"
import { messages as builders } from "llm-understudy/sse"
import { checkEach } from "../check.mjs"
import { collectUntilError, rejection } from "../outcomes.mjs"
import { apiError, atOnce, cutAfter, enqueue, retryCounts } from "../scripts.mjs"
import { anthropicClients, connect, isOldest, resetMessage } from "./anthropic-clients.mjs"

const model = "test-model"
const request = { model, max_tokens: 100, messages: [{ role: "user", content: "hi" }] }
const never = { maxRetries: 0 }

const ask = (client, server, options) => connect(client, server, options).messages.create(request)
const stream = (client, server) => connect(client, server).messages.create({ ...request, stream: true })
const script = (text) => ScriptedResponse.sse(builders.text({ text, model }))
const textOf = (message) => message.content[0].text
// The oldest version spells it otherwise.
const requestIdOf = (error) => error.requestID ?? error.request_id

/** Status, class in versions before 1, class in version 1, `error.type`. */
const classes = [
  [400, "BadRequestError", "BadRequestError", "invalid_request_error"],
  [402, "APIError", "PaymentRequiredError", "billing_error"],
  [403, "PermissionDeniedError", "PermissionDeniedError", "permission_error"],
  [404, "NotFoundError", "NotFoundError", "not_found_error"],
  [409, "ConflictError", "ConflictError", "conflict_error"],
  [413, "APIError", "ContentTooLargeError", "request_too_large"],
  [429, "RateLimitError", "RateLimitError", "rate_limit_error"],
  [500, "InternalServerError", "InternalServerError", "api_error"],
  [503, "InternalServerError", "ServiceUnavailableError", "api_error"],
  [504, "InternalServerError", "GatewayTimeoutError", "timeout_error"],
  [529, "InternalServerError", "OverloadedError", "overloaded_error"]
]

for (const [status, older, newer, type] of classes) {
  const names = older === newer ? older : `${newer}, before version 1 a ${older}`
  checkEach(anthropicClients, `errors: ${status} is a ${names}`, async (server, client) => {
    const headers = [["request-id", "req_one"]]
    enqueue(server, "Messages", apiError("Messages", status, { headers, requestId: "req_one" }))

    const error = await rejection(ask(client, server, never))

    ok(error instanceof client.sdk[client.isNew ? newer : older], error.constructor.name)
    equal(error.status, status)
    deepEqual(error.error, { type: "error", error: { type, message: "M" }, request_id: "req_one" })
    equal(requestIdOf(error), "req_one")
  })
}

checkEach(
  anthropicClients,
  "errors: an error_code that version 1 knows has a class of its own",
  async (server, client) => {
    const details = { error_code: "ramp_limit_exceeded" }
    enqueue(server, "Messages", apiError("Messages", 429, { details, requestId: "req_b" }))

    const error = await rejection(ask(client, server, never))

    ok(error instanceof client.sdk.RateLimitError)
    deepEqual(error.error.error.details, details)
    if (!client.isNew) return
    ok(error instanceof client.sdk.Anthropic.RampLimitExceededError)
    equal(error.errorCode, "ramp_limit_exceeded")
  }
)

checkEach(
  anthropicClients,
  "errors: a model that is not there is a NotFoundError in the shape of the API",
  async (server, client) => {
    const error = await rejection(connect(client, server).models.retrieve("no-such-model"))

    ok(error instanceof client.sdk.NotFoundError)
    equal(error.error.error.type, "not_found_error")
  }
)

checkEach(
  anthropicClients,
  "errors: a base URL with /v1 is a NotFoundError in the shape of the API",
  async (server, client) => {
    const error = await rejection(ask(client, server, { baseURL: server.url() }))

    ok(error instanceof client.sdk.NotFoundError)
    equal(error.error.error.type, "not_found_error")
    match(error.message, /no route for POST \/v1\/v1\/messages/)
  }
)

checkEach(anthropicClients, "auth: the required key passes in the header of this version", async (server, client) => {
  server.setRequiredToken("secret")

  equal(textOf(await ask(client, server, { apiKey: "secret" })), "Echo: hi")
  const [entry] = server.requests()
  const isBearer = client.isNew
  equal(entry.header("authorization"), isBearer ? "Bearer secret" : undefined)
  equal(entry.header("x-api-key"), isBearer ? undefined : "secret")
  equal(entry.header("anthropic-version"), isBearer ? "2026-10-21" : "2023-06-01")
})

checkEach(
  anthropicClients,
  "auth: x-api-key and a bearer token pass, another key or none is a 401",
  async (server, client) => {
    server.setRequiredToken("secret")

    for (const given of [{ "x-api-key": "secret" }, { authorization: "Bearer secret" }]) {
      const headers = { authorization: null, "x-api-key": null, ...given }
      equal(textOf(await connect(client, server).messages.create(request, { headers })), "Echo: hi")
    }
    const none = { authorization: null, "x-api-key": null }
    const refused = await rejection(connect(client, server).messages.create(request, { headers: none }))
    equal(refused.status, 401)
    const used = server
      .requests()
      .slice(0, 2)
      .map((entry) => [entry.header("x-api-key"), entry.header("authorization")])
    deepEqual(used, [
      ["secret", undefined],
      [undefined, "Bearer secret"]
    ])
    const error = await rejection(ask(client, server, { ...never, apiKey: "wrong" }))
    ok(error instanceof client.sdk.AuthenticationError)
    deepEqual([error.error.type, error.error.error.type], ["error", "authentication_error"])
    match(error.message, /missing API key/)
  }
)

checkEach(anthropicClients, "auth: a scripted answer needs no key", async (server, client) => {
  server.setRequiredToken("secret")
  enqueue(server, "Messages", script("scripted"))

  const message = await connect(client, server).messages.stream(request).finalMessage()

  equal(textOf(message), "scripted")
  ok((await rejection(ask(client, server, never))) instanceof client.sdk.AuthenticationError)
})

checkEach(
  anthropicClients,
  "retries: 429, 500 and then an answer are one call and three requests",
  async (server, client) => {
    enqueue(server, "Messages", ...[429, 500].map((status) => apiError("Messages", status, { headers: atOnce })))

    equal(textOf(await ask(client, server)), "Echo: hi")
    deepEqual(retryCounts(server), ["0", "1", "2"])
    const [first, ...later] = server.requestBodies()
    for (const body of later) deepEqual(body, first)
  }
)

checkEach(anthropicClients, "retries: without any, a 429 surfaces after one request", async (server, client) => {
  enqueue(server, "Messages", apiError("Messages", 429, { headers: atOnce }))

  ok((await rejection(ask(client, server, never))) instanceof client.sdk.RateLimitError)
  equal(server.requestCount(), 1)
})

checkEach(
  anthropicClients,
  "retries: 529 is tried three times, and the last request id is the error's",
  async (server, client) => {
    const attempts = ["req_a", "req_b", "req_c"].map((id) =>
      apiError("Messages", 529, { headers: [...atOnce, ["request-id", id]] })
    )
    enqueue(server, "Messages", ...attempts)

    const error = await rejection(ask(client, server))

    deepEqual(retryCounts(server), ["0", "1", "2"])
    equal(requestIdOf(error), "req_c")
    ok(error instanceof client.sdk[client.isNew ? "OverloadedError" : "InternalServerError"])
  }
)

checkEach(anthropicClients, "retries: x-should-retry overrules the status", async (server, client) => {
  const retried = apiError("Messages", 400, { headers: [...atOnce, ["x-should-retry", "true"]] })
  enqueue(server, "Messages", retried, retried, retried)
  await rejection(ask(client, server))
  equal(server.requestCount(), 3)

  enqueue(server, "Messages", apiError("Messages", 429, { headers: [["x-should-retry", "false"]] }))
  await rejection(ask(client, server))
  equal(server.requestCount(), 4)
})

checkEach(
  anthropicClients,
  "retries: a connection that is reset before the head is tried again",
  async (server, client) => {
    enqueue(server, "Messages", ScriptedResponse.hangUp("rst"), ScriptedResponse.hangUp("fin"))

    equal(textOf(await ask(client, server)), "Echo: hi")
    deepEqual(retryCounts(server), ["0", "1", "2"])
  }
)

checkEach(
  anthropicClients,
  "retries: a stream that is cut after the head is an error after one request",
  async (server, client) => {
    enqueue(server, "Messages", cutAfter(script("hi"), 2))

    const { items, error } = await collectUntilError(stream(client, server))

    equal(items.length, 2)
    match(error.message, resetMessage(client))
    equal(server.requestCount(), 1)
  }
)

checkEach(
  anthropicClients,
  "retries: an error event is an error after one request, also as the first event",
  async (server, client) => {
    const events = builders.error({ type: "overloaded_error", message: "M", requestId: "req_b", model })
    enqueue(server, "Messages", ScriptedResponse.sse(events))

    const { error } = await collectUntilError(stream(client, server))

    ok(error instanceof client.sdk[isOldest(client) ? "APIConnectionError" : "APIError"])
    equal(error.status, undefined)
    if (client.isNew) equal(error.type, "overloaded_error")
    equal(server.requestCount(), 1)
  }
)

checkEach(
  anthropicClients,
  "retries: 408, 409, 429 and what is 500 or more are tried again, other errors never",
  async (server, client) => {
    const retried = [408, 409, 429, 500, 502, 529]
    const final = [400, 401, 402, 403, 404, 413, 422, 425, 499]
    for (const status of [...retried, ...final]) {
      const before = server.requestCount()
      enqueue(server, "Messages", apiError("Messages", status, { headers: atOnce }))
      const isRetried = retried.includes(status)
      if (isRetried) equal(textOf(await ask(client, server)), "Echo: hi")
      else equal((await rejection(ask(client, server))).status, status)
      equal(server.requestCount() - before, isRetried ? 2 : 1, String(status))
    }
  }
)
