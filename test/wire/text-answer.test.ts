import { describe, expect, it } from "vitest"
import { inferenceEndpoints } from "../../src/domain/endpoint.ts"
import { type TextAnswer, textEvents, textReply } from "../../src/wire/text-answer.ts"
import { joinedAt, ofType, payloadsOf, valueAt } from "./decoding.ts"

const answer: TextAnswer = {
  profile: "full",
  split: "exact",
  text: "Echo: a  b\nc",
  model: "m",
  includeUsage: false,
  stopReason: "end_turn",
  request: {
    instructions: "be brief",
    metadata: { k: "v" },
    temperature: 0.5,
    store: false,
    text: { verbosity: "low" }
  }
}

const inCompact: TextAnswer = { ...answer, profile: "compact", split: "echo" }

describe("textEvents", () => {
  it("never collapses white space in profile full", () => {
    for (const split of ["exact", "echo"] as const) {
      const streams = inferenceEndpoints.map((endpoint) => payloadsOf(textEvents(endpoint, { ...answer, split })))
      const [chat = [], responses = [], messages = []] = streams

      expect(joinedAt(chat, "choices", 0, "delta", "content")).toBe(answer.text)
      expect(joinedAt(responses, "delta")).toBe(answer.text)
      expect(joinedAt(messages, "delta", "text")).toBe(answer.text)
    }
  })

  it("collapses an echo in profile compact, but not in Messages", () => {
    const chat = payloadsOf(textEvents("ChatCompletions", inCompact))
    const responses = payloadsOf(textEvents("Responses", inCompact))
    const messages = payloadsOf(textEvents("Messages", inCompact))

    expect(joinedAt(chat, "choices", 0, "delta", "content")).toBe("Echo: a b c")
    expect(joinedAt(responses, "delta")).toBe("Echo: a b c ")
    expect(valueAt(responses.at(-1), "response", "output", 0, "content", 0, "text")).toBe(answer.text)
    expect(joinedAt(messages, "delta", "text")).toBe(answer.text)
  })

  it("sends full chat usage only where it was asked for", () => {
    const usages = (includeUsage: boolean) =>
      payloadsOf(textEvents("ChatCompletions", { ...answer, includeUsage })).map((payload) => payload["usage"])

    expect(usages(false).every((usage) => usage === undefined)).toBe(true)
    expect(usages(true).at(-1)).toMatchObject({ prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 })
  })

  it("echoes the request in every full response object, and completes partial values", () => {
    const payloads = payloadsOf(textEvents("Responses", answer))
    const echoed = {
      instructions: "be brief",
      metadata: { k: "v" },
      temperature: 0.5,
      store: false,
      text: { format: { type: "text" }, verbosity: "low" },
      top_p: 1
    }

    expect(ofType(payloads, "response.created")[0]).toMatchObject({ response: echoed })
    expect(ofType(payloads, "response.completed")[0]).toMatchObject({ response: echoed })
  })

  it("gives a request that is no object the defaults", () => {
    for (const request of [undefined, null, 7, "x", []]) {
      const [created] = payloadsOf(textEvents("Responses", { ...answer, request }))
      expect(created).toMatchObject({ response: { instructions: null, tools: [], temperature: 1 } })
    }
  })

  it.each(["compact", "full"] as const)("ends a %s Messages answer with the stop reason", (profile) => {
    const payloads = payloadsOf(textEvents("Messages", { ...answer, profile, stopReason: "max_tokens" }))

    expect(ofType(payloads, "message_delta")[0]).toMatchObject({ delta: { stop_reason: "max_tokens" } })
  })
})

describe("textReply", () => {
  it("answers chat with a completion", () => {
    expect(textReply("ChatCompletions", answer)).toMatchObject({
      object: "chat.completion",
      choices: [{ message: { role: "assistant", content: answer.text }, finish_reason: "stop" }],
      usage: { completion_tokens: 4 }
    })
  })

  it("answers Responses with the object of the terminal event", () => {
    const completed = payloadsOf(textEvents("Responses", answer)).at(-1)

    expect(textReply("Responses", answer)).toEqual(completed?.["response"])
  })

  it("answers Messages with the whole message", () => {
    expect(textReply("Messages", { ...answer, stopReason: "refusal" })).toMatchObject({
      content: [{ type: "text", text: answer.text }],
      stop_reason: "refusal",
      usage: { output_tokens: 4 }
    })
  })
})
