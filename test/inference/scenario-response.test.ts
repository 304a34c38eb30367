import { describe, expect, test } from "vitest"
import { inferenceEndpoints } from "../../src/domain/endpoint.ts"
import { type AnswerContext, resourceResponse, scenarioResponse } from "../../src/inference/scenario-response.ts"
import type { ScenarioResponse } from "../../src/inference/scenario-schema.ts"
import {
  chat,
  chatReply,
  errorBody,
  messages,
  messagesReply,
  responses,
  responsesReply,
  SseEvent
} from "../../src/sse.ts"

const contexts = inferenceEndpoints.map((endpoint): AnswerContext => ({ endpoint, profile: "full", model: "m" }))
const [inChat] = contexts
const body = (written: ScenarioResponse) => contexts.map((context) => scenarioResponse(written, context).body)
const sse = (...lists: ReadonlyArray<ReadonlyArray<SseEvent>>) => lists.map((events) => ({ kind: "sse", events }))
const json = (...values: ReadonlyArray<unknown>) => values.map((value) => ({ kind: "json", value }))

describe("a written response", () => {
  test("of a bare string is the text, streamed in the form of the endpoint's API", () => {
    const input = { model: "m", text: "hi there" }

    expect(body("hi there")).toEqual(sse(chat.text(input), responses.text(input), messages.text(input)))
  })

  test("with stream: false is the JSON reply", () => {
    const input = { model: "other", text: "hi" }

    expect(body({ text: "hi", model: "other", stream: false })).toEqual(
      json(chatReply.text(input), responsesReply.text(input), messagesReply.text(input))
    )
  })

  test("with reasoning thinks before the text", () => {
    const input = { model: "m", text: "hi", reasoning: "hm" }

    expect(body({ text: "hi", reasoning: "hm" })).toEqual(
      sse(chat.reasoningText(input), responses.reasoningText(input), messages.thinkingText(input))
    )
  })

  test("of tool calls numbers them, keeps written arguments and encodes others", () => {
    const calls = [
      { callId: "call_1", name: "f", arguments: '{"a":1}' },
      { callId: "mine", name: "g", arguments: "{broken" },
      { callId: "call_3", name: "h", arguments: "{}" }
    ]
    const toolCalls = [
      { name: "f", arguments: { a: 1 } },
      { id: "mine", name: "g", arguments: "{broken" },
      { name: "h" }
    ]
    const input = { model: "m", calls }
    const withText = { ...input, text: "hi" }

    expect(body({ toolCalls })).toEqual(sse(chat.calls(input), responses.calls(input), messages.calls(input)))
    expect(body({ toolCalls, text: "hi", stream: false })).toEqual(
      json(chatReply.textCalls(withText), responsesReply.textCalls(withText), messagesReply.textCalls(withText))
    )
  })

  test("follows the profile", () => {
    const written = inferenceEndpoints.map(
      (endpoint) => scenarioResponse("hi", { endpoint, profile: "compact", model: "m" }).body
    )
    const input = { model: "m", text: "hi", profile: "compact" } as const

    expect(written).toEqual(sse(chat.text(input), responses.text(input), messages.text(input)))
  })

  test("of an error has the form of the endpoint's API", () => {
    const written = contexts.map((context) => scenarioResponse({ error: "slow down", status: 429 }, context))

    expect(written.map(({ status }) => status)).toEqual([429, 429, 429])
    expect(written.map((response) => response.body)).toEqual(
      json(...inferenceEndpoints.map((endpoint) => errorBody(endpoint, 429, { message: "slow down" })))
    )
    expect(contexts.map((context) => scenarioResponse({ error: "x" }, context).status)).toEqual([500, 500, 500])
  })

  test("carries headers as text and the wanted ending", () => {
    const written = resourceResponse({ raw: "x", status: 202, headers: { "Retry-After": 7 }, ending: "rst" })

    expect(written).toEqual({
      status: 202,
      headers: [["Retry-After", "7"]],
      body: { kind: "raw", bytes: "x" },
      ending: "rst"
    })
  })

  test("of events writes data that is no string as JSON", () => {
    const written = resourceResponse({ sse: ["[DONE]", { event: "e", data: { a: [1] } }, { data: "text" }] })

    expect(written.body).toEqual({
      kind: "sse",
      events: [SseEvent.data("[DONE]"), SseEvent.withEvent("e", '{"a":[1]}'), SseEvent.data("text")]
    })
  })

  test("of a status alone has no body, and of a hang-up no head either", () => {
    expect(resourceResponse({ status: 204 })).toMatchObject({ status: 204, body: { kind: "empty" }, ending: "end" })
    expect(resourceResponse({ hangUp: "stall" })).toMatchObject({ body: { kind: "none" }, ending: "stall" })
  })

  test("is the same on a path that is no inference path", () => {
    if (inChat === undefined) throw new Error("no endpoint")
    const written = { json: { a: 1 } }

    expect(resourceResponse(written)).toEqual(scenarioResponse(written, inChat))
  })
})
