import { describe, expect, it } from "vitest"
import type { SseEvent } from "../../src/domain/sse-event.ts"
import { chat } from "../../src/wire/chat/chat.ts"
import { messages } from "../../src/wire/messages/messages.ts"
import { responses } from "../../src/wire/responses/responses.ts"
import { codePoints } from "../../src/wire/splitters.ts"
import { kelpCall, model, threeWords, twoWords } from "./scenarios.ts"

// The letters of wire-formats.md, section 2G: text pieces, reasoning pieces, text pieces after reasoning, argument pieces,
// labels.
const n = 3
const R = 2
const T = 3
const A = 5
const L = 2

const text = threeWords
const reasoning = twoWords
const call = { ...kelpCall, splitArguments: codePoints(2) }
const labels = ["tail_repetition:4@response", "low_logprob@thinking"] as const

type Build = (profile: "compact" | "full") => ReadonlyArray<SseEvent>

const bothProfiles: ReadonlyArray<readonly [string, Build, number, number]> = [
  ["chat text", (profile) => chat.text({ profile, model, text }), n + 2, n + 3],
  ["chat think-then-call", (profile) => chat.thinkThenCall({ profile, model, reasoning, ...call }), R + 3, R + A + 4],
  ["Responses text", (profile) => responses.text({ profile, model, text }), n + 3, n + 8],
  ["Responses reasoning only", (profile) => responses.reasoning({ profile, model, reasoning }), R + 3, R + 8],
  [
    "Responses reasoning and text",
    (profile) => responses.reasoningText({ profile, model, reasoning, text }),
    R + T + 3,
    R + T + 13
  ],
  [
    "Responses think-then-call",
    (profile) => responses.thinkThenCall({ profile, model, reasoning, ...call }),
    R + 4,
    R + A + 11
  ],
  ["doom check", (profile) => responses.doomCheck({ profile, model, labels, reasoning }), R + L + 3, R + L + 8],
  [
    "doom terminal only",
    (profile) => responses.doomTerminal({ profile, model, labels, reasoning, text }),
    R + T + 3,
    R + T + 13
  ],
  [
    "doom splice",
    (profile) => responses.doomSplice({ profile, model, payload: "{}", reasoning, text }),
    R + T + 4,
    R + T + 14
  ],
  ["Messages text", (profile) => messages.text({ profile, model, text }), 6, n + 6]
]

const fullOnly: ReadonlyArray<readonly [string, ReadonlyArray<SseEvent>, number]> = [
  ["chat reasoning only", chat.reasoning({ model, reasoning }), R + 3],
  ["chat reasoning and text", chat.reasoningText({ model, reasoning, text }), R + T + 3],
  ["chat single call", chat.call({ model, ...call }), A + 3],
  ["chat refusal", chat.refusal({ model, text }), n + 3],
  ["Responses single call", responses.call({ model, ...call }), A + 6],
  ["Messages thinking and text", messages.thinkingText({ model, reasoning, text }), R + T + 9],
  ["Messages think-then-call", messages.thinkThenCall({ model, reasoning, ...call }), R + A + 9]
]

const withUsage: ReadonlyArray<readonly [string, (includeUsage: boolean) => ReadonlyArray<SseEvent>]> = [
  ["text", (includeUsage) => chat.text({ model, text, includeUsage })],
  ["reasoning only", (includeUsage) => chat.reasoning({ model, reasoning, includeUsage })],
  ["reasoning and text", (includeUsage) => chat.reasoningText({ model, reasoning, text, includeUsage })],
  ["single call", (includeUsage) => chat.call({ model, ...call, includeUsage })],
  ["think-then-call", (includeUsage) => chat.thinkThenCall({ model, reasoning, ...call, includeUsage })],
  ["refusal", (includeUsage) => chat.refusal({ model, text, includeUsage })]
]

describe("the number of frames", () => {
  it.each(bothProfiles)("of %s is that of the builder index in both profiles", (_scenario, build, compact, full) => {
    expect([build("compact").length, build("full").length]).toEqual([compact, full])
  })

  it.each(fullOnly)("of %s is that of the builder index", (_scenario, events, full) => {
    expect(events).toHaveLength(full)
  })

  it.each(withUsage)("of a chat %s grows by one where usage is asked for", (_scenario, build) => {
    expect(build(true).length).toBe(build(false).length + 1)
  })

  it("of an answer without text has no delta", () => {
    expect(chat.text({ model, text: "" })).toHaveLength(3)
    expect(responses.text({ model, text: "" })).toHaveLength(8)
    expect(messages.text({ model, text: "" })).toHaveLength(6)
    expect(messages.empty({ model })).toHaveLength(3)
  })
})
