import { describe, expect, it } from "vitest"
import type { SseEvent } from "../../../src/domain/sse-event.ts"
import { emptyTurn } from "../../../src/faults/catalogue/turns.ts"
import type { Turn, Voice } from "../../../src/faults/catalogue/voice.ts"
import { chat, chatReply } from "../../../src/wire/chat/chat.ts"
import { messages, messagesReply } from "../../../src/wire/messages/messages.ts"
import { responses, responsesReply } from "../../../src/wire/responses/responses.ts"
import { dataOf, faithful, formats, parallelTurn, textOnly, thought } from "./written.ts"

const model = "m"
const request = { temperature: 0.5 }
const split = (text: string) => (text === "Sea calm" ? ["Sea ", "calm"] : ["deep ", "sea"])
const said = { model, request, text: "Sea calm", split }
const thinking = { model, request, reasoning: "deep sea", split }
const call = { model, request, callId: "c", name: "depth", arguments: "{}", splitArguments: () => ["{", "}"] }
const parallel = {
  model,
  request,
  calls: [
    { callId: "call-a", name: "depth", arguments: '{"m":40}' },
    { callId: "call-b", name: "tide", arguments: "{}" }
  ],
  splitArguments: (text: string) => (text === "{}" ? ["{", "}"] : ['{"m"', ":40}"])
}

const filtered: Turn = { ...textOnly, finish: "content_filter" }
const cut: Turn = { ...textOnly, finish: "length" }
const both: Turn = { ...textOnly, parts: [...thought.parts, ...textOnly.parts] }
const oneCall: Turn = {
  parts: [{ kind: "calls", calls: [{ id: "c", name: "depth", pieces: ["{", "}"] }] }],
  finish: "tool_calls",
  outputTokens: 8
}
const thinkThenCall: Turn = { ...oneCall, parts: [...thought.parts, ...oneCall.parts] }

const full = (format: Voice["format"]) => faithful(format, { request })
const compact = (format: Voice["format"]) => faithful(format, { request, profile: "compact" })
const inChat = { usage: { completionTokens: 8 } }
const inOthers = { usage: { outputTokens: 8 } }
const compactly = { profile: "compact" } as const

type Row = readonly [name: string, voice: Voice, turn: Turn, events: ReadonlyArray<SseEvent>]

const rows: ReadonlyArray<Row> = [
  ["text in chat", full("chat"), textOnly, chat.text(said)],
  ["a cut text in chat", full("chat"), cut, chat.text({ ...said, finishReason: "length" })],
  ["a thought in chat", full("chat"), thought, chat.reasoning(thinking)],
  ["a thought and a text in chat", full("chat"), both, chat.reasoningText({ ...said, ...thinking })],
  ["a call in chat", full("chat"), oneCall, chat.call(call)],
  ["interleaved calls in chat", full("chat"), parallelTurn, chat.calls({ ...parallel, order: "interleaved" })],
  ["compact text in chat", compact("chat"), textOnly, chat.text({ ...said, ...inChat, ...compactly })],
  [
    "compact silence in chat",
    compact("chat"),
    { ...emptyTurn, outputTokens: 1 },
    chat.text({ model, text: "", ...compactly })
  ],
  ["a compact call in chat, which is full", compact("chat"), oneCall, chat.call(call)],
  ["text in Responses", full("responses"), textOnly, responses.text({ ...said, ...inOthers })],
  ["a cut text in Responses", full("responses"), cut, responses.incomplete({ ...said, ...inOthers })],
  [
    "a filtered text in Responses",
    full("responses"),
    filtered,
    responses.incomplete({ ...said, ...inOthers, reason: "content_filter" })
  ],
  ["a thought in Responses", full("responses"), thought, responses.reasoning({ ...thinking, ...inOthers })],
  ["both in Responses", full("responses"), both, responses.reasoningText({ ...said, ...thinking, ...inOthers })],
  ["a call in Responses", full("responses"), oneCall, responses.call({ ...call, ...inOthers })],
  [
    "interleaved calls in Responses",
    full("responses"),
    parallelTurn,
    responses.calls({ ...parallel, order: "interleaved", usage: { outputTokens: 2 } })
  ],
  ["compact text in Responses", compact("responses"), textOnly, responses.text({ ...said, ...inOthers, ...compactly })],
  [
    "a compact cut text in Responses, which is full",
    compact("responses"),
    cut,
    responses.incomplete({ ...said, ...inOthers })
  ],
  ["text in Messages", full("messages"), textOnly, messages.text({ ...said, ...inOthers })],
  ["a cut text in Messages", full("messages"), cut, messages.text({ ...said, ...inOthers, stopReason: "max_tokens" })],
  ["a filtered text in Messages", full("messages"), filtered, messages.refusal({ ...said, ...inOthers })],
  ["silence in Messages", full("messages"), emptyTurn, messages.empty({ model })],
  ["a thought in Messages", full("messages"), thought, messages.thinking({ ...thinking, ...inOthers })],
  ["both in Messages", full("messages"), both, messages.thinkingText({ ...said, ...thinking, ...inOthers })],
  ["a call in Messages", full("messages"), oneCall, messages.call({ ...call, ...inOthers })],
  [
    "calls in Messages, one after the other",
    full("messages"),
    parallelTurn,
    messages.calls({ ...parallel, usage: { outputTokens: 2 } })
  ],
  ["compact text in Messages", compact("messages"), textOnly, messages.text({ ...said, ...inOthers, ...compactly })]
]

describe("a provider's stream has the bytes of the builder", () => {
  for (const [name, voice, turn, events] of rows) {
    it(`for ${name}`, () => {
      expect(voice.events(turn).map(({ event, data }) => ({ event, data }))).toEqual(events)
    })
  }

  it("for usage that chat was asked for", () => {
    const voice = faithful("chat", { includeUsage: true })

    expect(dataOf(voice.events(textOnly))).toEqual(dataOf(chat.text({ ...said, ...inChat, includeUsage: true })))
  })

  it("for a thought with a call in compact chat and Responses, whose arguments come whole", () => {
    const ends = [compact("chat"), compact("responses")].map((voice) => dataOf(voice.events(thinkThenCall)))

    expect(ends.map((data) => data.length)).toEqual([5, 6])
    expect(ends[0]?.[2]).toContain('"arguments":"{}"')
    expect(ends[1]?.[3]).toContain('"delta":"{}"')
  })
})

describe("a provider's JSON reply is the builder's", () => {
  const replies: ReadonlyArray<readonly [string, Voice, Turn, unknown]> = [
    ["text in chat", full("chat"), textOnly, chatReply.text({ ...said, ...inChat })],
    ["a call in chat", compact("chat"), oneCall, chatReply.call({ ...call, ...inChat })],
    ["both in Responses", full("responses"), both, responsesReply.reasoningText({ ...said, ...thinking, ...inOthers })],
    ["a cut text in Responses", full("responses"), cut, responsesReply.incomplete({ ...said, ...inOthers })],
    ["both in Messages", full("messages"), both, messagesReply.thinkingText({ ...said, ...thinking, ...inOthers })],
    ["a refusal in Messages", full("messages"), filtered, messagesReply.refusal({ ...said, ...inOthers })]
  ]

  for (const [name, voice, turn, body] of replies) {
    it(`for ${name}`, () => {
      expect(voice.reply(turn)).toBe(JSON.stringify(body))
    })
  }
})

describe("a provider's turn without usage", () => {
  const turn: Turn = { ...textOnly, usage: "none" }

  for (const profile of ["full", "compact"] as const) {
    it(`has no counts where a stream in profile ${profile} can omit them`, () => {
      const usages = formats.map((format) => {
        const data = dataOf(faithful(format, { profile, includeUsage: true }).events(turn))
        return data.flatMap((text, at) => (text.includes('"usage":{') ? [at] : []))
      })

      expect(usages).toEqual([[], [], [0]])
    })
  }

  it("has no counts in its JSON reply", () => {
    for (const format of formats) expect(faithful(format).reply(turn)).not.toContain('"usage"')
  })

  it("differs from one whose input tokens are replaced", () => {
    for (const format of formats) {
      const voice = faithful(format, { includeUsage: true })
      const overflow = { ...textOnly, usage: 128_001 }

      expect(voice.reply(overflow)).toMatch(/"(prompt|input)_tokens":128001,/)
      expect(dataOf(voice.events(overflow)).join()).toMatch(/"(prompt|input)_tokens":128001,/)
    }
  })
})

describe("what a provider's stream begins and ends with", () => {
  it("is its announcement and its terminal events", () => {
    for (const profile of ["full", "compact"] as const) {
      for (const format of formats) {
        const voice = faithful(format, { profile })
        const events = voice.around([voice.malformedEvent("json")])

        expect(voice.announcement().role).toBe("opening")
        expect(events.at(-1)?.role).toBe("last")
        expect(events.filter(({ data }) => data === "{not-json")).toHaveLength(1)
        expect(events.find(({ data }) => data === "{not-json")?.role).toBe("delta")
      }
    }
  })

  it("counts in Responses what stands between", () => {
    const between = ["full", "compact"].map((profile) => {
      const voice = faithful("responses", { profile: profile === "full" ? "full" : "compact" })
      return voice.around([voice.unknownEvent(), voice.unknownEvent()]).find(({ role }) => role === "last")?.data
    })

    expect(between[0]).toContain('{"type":"response.completed","sequence_number":4,')
    expect(between[1]).toContain('{"type":"response.completed","sequence_number":3,')
  })

  it("is a role alone in chat", () => {
    const data = [full("chat"), compact("chat")].map((voice) => JSON.parse(voice.announcement().data).choices[0].delta)

    expect(data).toEqual([
      { role: "assistant", content: "", refusal: null },
      { role: "assistant", content: "" }
    ])
  })

  it("has no names in profile compact", () => {
    for (const format of formats) {
      const voice = compact(format)
      const events = [voice.announcement(), voice.malformedEvent("shape"), voice.unknownEvent(), ...voice.around([])]

      expect(events.filter(({ event }) => event !== null)).toEqual([])
    }
  })

  it("is an error in band", () => {
    expect(formats.map((format) => full(format).errorEvent("boom"))).toEqual([
      {
        event: null,
        data: '{"error":{"message":"boom","type":"server_error","param":null,"code":null}}',
        role: "last"
      },
      {
        event: "error",
        data: '{"type":"error","code":"server_error","message":"boom","param":null,"sequence_number":0}',
        role: "last"
      },
      {
        event: "error",
        data: '{"type":"error","error":{"type":"overloaded_error","message":"boom"}}',
        role: "last"
      }
    ])
  })

  it("is headed as the profile heads streams", () => {
    expect([full("chat"), compact("chat")].map(({ streamHeaders }) => streamHeaders[0])).toEqual([
      ["content-type", "text/event-stream; charset=utf-8"],
      ["content-type", "text/event-stream"]
    ])
  })
})
