import { describe, expect, it } from "vitest"
import { chat } from "../../src/wire/chat/chat.ts"
import { responses } from "../../src/wire/responses/responses.ts"
import { chatEcho, trailingEcho } from "../../src/wire/splitters.ts"
import { chatDeltas, finishReasons, joinedAt, ofType, payloadsOf, typesOf, valueAt } from "./decoding.ts"

const compact = { profile: "compact", model: "m" } as const
const readFile = { callId: "call_1", name: "read_file", arguments: '{"path":"a.txt"}' }
const contentPath = ["choices", 0, "delta", "content"] as const

// wire-formats.md, section 7.3, items 23 to 29
describe("compact structure", () => {
  it("deltas join to the text where the split is exact, and to collapsed words where it is echo", () => {
    const exact = payloadsOf(chat.text({ ...compact, text: "a  b\tc\n" }))
    const echo = payloadsOf(chat.text({ ...compact, text: "Echo: a  b\nc", split: chatEcho }))
    const trailing = payloadsOf(responses.text({ ...compact, text: "Echo: a  b\nc", split: trailingEcho }))

    expect(joinedAt(exact, ...contentPath)).toBe("a  b\tc\n")
    expect(joinedAt(echo, ...contentPath)).toBe("Echo: a b c")
    expect(joinedAt(trailing, "delta")).toBe("Echo: a b c ")
    expect(valueAt(trailing.at(-1), "response", "output", 0, "content", 0, "text")).toBe("Echo: a  b\nc")
  })

  it("chat usage counts the text chunks", () => {
    const usageOf = (text: string, split?: typeof chatEcho) => {
      const events = chat.text(split === undefined ? { ...compact, text } : { ...compact, text, split })
      return payloadsOf(events).at(-1)?.["usage"]
    }

    expect(usageOf("Echo: a  b\nc", chatEcho)).toEqual({ prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 })
    expect(usageOf("")).toEqual({ prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 })
    expect(usageOf("  \n", chatEcho)).toEqual({ prompt_tokens: 10, completion_tokens: 0, total_tokens: 10 })
  })

  it("a blank echo has no finish reason", () => {
    expect(finishReasons(payloadsOf(chat.text({ ...compact, text: "  \n", split: chatEcho })))).toEqual([])
  })

  it("a turn of reasoning alone has one item and no output text", () => {
    const payloads = payloadsOf(responses.reasoning({ ...compact, reasoning: "alpha beta" }))

    expect(ofType(payloads, "response.output_text.delta")).toEqual([])
    expect(valueAt(payloads.at(-1), "response", "output")).toEqual([
      {
        type: "reasoning",
        id: "reasoning_item_1",
        summary: [{ type: "summary_text", text: "alpha beta" }],
        status: "completed"
      }
    ])
    expect(ofType(payloads, "response.reasoning_summary_text.delta").map((payload) => payload["delta"])).toEqual([
      "alpha ",
      "beta "
    ])
  })

  it("every reasoning delta precedes every text delta", () => {
    const payloads = payloadsOf(responses.reasoningText({ ...compact, reasoning: "alpha beta", text: "the answer" }))

    expect(typesOf(payloads)).toEqual([
      "response.created",
      "response.reasoning_summary_text.delta",
      "response.reasoning_summary_text.delta",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.completed"
    ])
    expect(ofType(payloads, "response.output_text.delta").map((payload) => payload["output_index"])).toEqual([1, 1])
    expect(valueAt(payloads.at(-1), "response", "output", 0, "type")).toBe("reasoning")
    expect(valueAt(payloads.at(-1), "response", "output", 1)).toMatchObject({
      type: "message",
      content: [{ text: "the answer" }]
    })
  })

  it("Responses think-then-call sends the arguments whole, under the call id, without a message", () => {
    const payloads = payloadsOf(responses.thinkThenCall({ ...compact, reasoning: "alpha beta", ...readFile }))
    const deltas = ofType(payloads, "response.function_call_arguments.delta")

    expect(deltas.map((payload) => [payload["item_id"], payload["delta"]])).toEqual([["call_1", readFile.arguments]])
    expect(valueAt(payloads.at(-1), "response", "output", 1)).toEqual({
      type: "function_call",
      call_id: "call_1",
      name: "read_file",
      arguments: readFile.arguments
    })
    expect(valueAt(payloads.at(-1), "response", "output", 2)).toBeUndefined()
  })

  it("chat think-then-call has no content, one calls delta, and usage on its finish chunk", () => {
    const payloads = payloadsOf(chat.thinkThenCall({ ...compact, reasoning: "alpha beta", ...readFile }))

    expect(joinedAt(payloads, ...contentPath)).toBe("")
    expect(
      payloads.filter((payload) => valueAt(payload, "choices", 0, "delta", "tool_calls") !== undefined)
    ).toHaveLength(1)
    expect(chatDeltas(payloads).at(-1)).toEqual({})
    expect(payloads.at(-1)?.["usage"]).toEqual({ prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 })
    expect(payloads.every((payload) => valueAt(payload, "choices", 0) !== undefined)).toBe(true)
  })

  it("a doom check names one frame for each prefix of the labels, and ends with all of them", () => {
    const labels = ["tail_repetition:4@response", "low_logprob@thinking", "unknown"] as const
    const events = responses.doomCheck({ ...compact, labels, reasoning: "round and round" })
    const named = payloadsOf(events.filter(({ event }) => event !== null))

    expect(named.map((payload) => valueAt(payload, "doom_loop_check", "triggers"))).toEqual([
      labels.slice(0, 1),
      labels.slice(0, 2),
      labels
    ])
    expect(valueAt(payloadsOf(events).at(-1), "response", "doom_loop_check")).toEqual({ triggers: labels })
  })

  it("a doom report on the terminal object alone has no named frame and both items", () => {
    const labels = ["low_logprob@thinking"] as const
    const events = responses.doomTerminal({ ...compact, labels, reasoning: "brief", text: "the answer" })
    const response = payloadsOf(events).at(-1)?.["response"]

    expect(events.every(({ event }) => event === null)).toBe(true)
    expect(valueAt(response, "doom_loop_check")).toEqual({ triggers: labels })
    expect([valueAt(response, "output", 0, "type"), valueAt(response, "output", 1, "type")]).toEqual([
      "reasoning",
      "message"
    ])
  })

  it.each(["compact", "full"] as const)(
    "a %s doom splice puts the payload verbatim behind the first event",
    (profile) => {
      const events = responses.doomSplice({ profile, model: "m", payload: "not json {", reasoning: "hm", text: "hi" })

      expect(events[1]).toEqual({ event: "response.doom_loop_check", data: "not json {" })
      expect(payloadsOf(events.slice(0, 1))[0]).toMatchObject({ type: "response.created" })
    }
  )

  it("a doom builder refuses to report no label", () => {
    const labels: ReadonlyArray<string> = []

    // @ts-expect-error at least one label is part of the type
    expect(() => responses.doomCheck({ ...compact, labels, reasoning: "x" })).toThrow("at least one label")
  })
})
