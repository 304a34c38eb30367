import { describe, expect, it } from "vitest"
import type { LineEnding, SseEvent } from "../../src/domain/sse-event.ts"
import { chat } from "../../src/wire/chat/chat.ts"
import { messages } from "../../src/wire/messages/messages.ts"
import { responses } from "../../src/wire/responses/responses.ts"
import { codePoints, graphemes, type Splitter, utf16 } from "../../src/wire/splitters.ts"
import { encodeEvents } from "../../src/wire/sse-frame.ts"
import { readEvents } from "../../src/wire/sse-reader.ts"
import { joinedAt, ofType, payloadsOf, valueAt } from "./decoding.ts"
import { fenced, unicode } from "./scenarios.ts"

// wire-formats.md, section 3.3
const texts: ReadonlyArray<readonly [string, string]> = [
  ["the empty text", ""],
  ["one space", " "],
  ["only newlines", "\n\n\n"],
  ["leading and trailing spaces", "  a b  "],
  ["runs of spaces and tabs", "a   b\t\tc"],
  ["CR, CRLF and a lone CR", "a\rb\r\nc\n\rd\r"],
  ["fenced code", fenced],
  ["mixed scripts", unicode],
  ["astral characters, families, flags, skin tones", "😀👩‍👩‍👧‍👦 🇩🇪🇯🇵 👍🏽 𝒳"],
  ["combining marks and right-to-left text", "e\u0301a\u0308\u0323 שלום العربية"],
  ["line separators and odd spaces", "a\u2028b\u2029c\u0085d\u00a0e"],
  ["controls and quoting", "\u0000\u007f\\ \" ' \b\f </script>"],
  ["text that looks like frames", "data: x\nevent: y\n[DONE]\n\ndata: [DONE]\n\n"],
  ["lone surrogates", "a\ud800 b\udc00 \udc00\ud800"]
]

const splitters: ReadonlyArray<readonly [string, Splitter | undefined]> = [
  ["the exact splitter", undefined],
  ["3 code points", codePoints(3)],
  ["1 grapheme", graphemes(1)],
  ["1 UTF-16 unit", utf16(1)]
]

const lineEndings: ReadonlyArray<LineEnding> = ["lf", "crlf", "cr"]

type Build = (text: string, split: Splitter | undefined) => ReadonlyArray<SseEvent>

const options = (split: Splitter | undefined) => (split === undefined ? { model: "m" } : { model: "m", split })

/** Builders, and what a client puts together from their stream. */
const exactBuilders: ReadonlyArray<readonly [string, Build, (events: ReadonlyArray<SseEvent>) => string]> = [
  ["chat", (text, split) => chat.text({ ...options(split), text }), chatText],
  ["compact chat", (text, split) => chat.text({ ...options(split), text, profile: "compact" }), chatText],
  [
    "chat behind reasoning",
    (text, split) => chat.reasoningText({ ...options(split), reasoning: text, text }),
    chatText
  ],
  ["Responses", (text, split) => responses.text({ ...options(split), text }), outputText],
  ["compact Responses", (text, split) => responses.text({ ...options(split), text, profile: "compact" }), outputText],
  [
    "Responses behind reasoning",
    (text, split) => responses.reasoningText({ ...options(split), reasoning: text, text }),
    outputText
  ],
  ["Messages", (text, split) => messages.text({ ...options(split), text }), messageText],
  ["compact Messages", (text, split) => messages.text({ ...options(split), text, profile: "compact" }), messageText],
  [
    "Messages behind thinking",
    (text, split) => messages.thinkingText({ ...options(split), reasoning: text, text }),
    messageText
  ]
]

function chatText(events: ReadonlyArray<SseEvent>): string {
  return joinedAt(payloadsOf(events), "choices", 0, "delta", "content")
}

function outputText(events: ReadonlyArray<SseEvent>): string {
  return joinedAt(ofType(payloadsOf(events), "response.output_text.delta"), "delta")
}

function messageText(events: ReadonlyArray<SseEvent>): string {
  return joinedAt(payloadsOf(events), "delta", "text")
}

describe("an exact stream", () => {
  describe.each(exactBuilders)("of %s", (_api, build, rebuild) => {
    it.each(texts)("gives %s back, however it is split", (_what, text) => {
      for (const [, split] of splitters) expect(rebuild(build(text, split))).toBe(text)
    })

    it.each(texts)("gives %s back through the reader, unit by unit, with every line ending", (_what, text) => {
      const events = build(text, undefined)
      for (const lineEnding of lineEndings) {
        const read = readEvents(encodeEvents(events, lineEnding).split(""))
        expect(read).toEqual(events)
        expect(rebuild(read)).toBe(text)
      }
    })

    it("has a 300 kB word in one frame", () => {
      const word = '\u2028\u0085\u0000\u007f"</script>'.repeat(25_000)
      const events = build(word, undefined)

      expect(events.filter(({ data }) => data.length > 100_000).length).toBeGreaterThan(0)
      expect(rebuild(readEvents(encodeEvents(events)))).toBe(word)
    })
  })

  it("writes a lone surrogate as an escape", () => {
    const body = encodeEvents(chat.text({ model: "m", text: "😀", split: utf16(1) }))

    expect(body).toContain('{"content":"\\ud83d"}')
    expect(body).toContain('{"content":"\\ude00"}')
  })
})

describe("reasoning and arguments in profile full", () => {
  it.each(texts)("come back unchanged for %s", (_what, text) => {
    const call = { callId: "c", name: "f", arguments: text }
    for (const [, split] of splitters) {
      const input = { ...options(split), reasoning: text, ...call, ...(split ? { splitArguments: split } : {}) }
      const fromChat = payloadsOf(chat.thinkThenCall(input))
      const fromResponses = payloadsOf(responses.thinkThenCall(input))
      const fromMessages = payloadsOf(messages.thinkThenCall(input))

      expect(joinedAt(fromChat, "choices", 0, "delta", "reasoning_content")).toBe(text)
      expect(joinedAt(fromChat, "choices", 0, "delta", "tool_calls", 0, "function", "arguments")).toBe(text)
      expect(joinedAt(ofType(fromResponses, "response.reasoning_summary_text.delta"), "delta")).toBe(text)
      expect(joinedAt(ofType(fromResponses, "response.function_call_arguments.delta"), "delta")).toBe(text)
      expect(joinedAt(fromMessages, "delta", "thinking")).toBe(text)
      expect(joinedAt(fromMessages, "delta", "partial_json")).toBe(text)
    }
  })
})

describe("the whole text at the end of a full Responses stream", () => {
  it.each(texts)("is %s in every place that holds it", (_what, text) => {
    const payloads = payloadsOf(responses.text({ model: "m", text }))
    const at = (type: string, ...path: ReadonlyArray<string | number>) => valueAt(ofType(payloads, type)[0], ...path)

    expect(at("response.output_text.done", "text")).toBe(text)
    expect(at("response.content_part.done", "part", "text")).toBe(text)
    expect(at("response.output_item.done", "item", "content", 0, "text")).toBe(text)
    expect(at("response.completed", "response", "output", 0, "content", 0, "text")).toBe(text)
  })
})
