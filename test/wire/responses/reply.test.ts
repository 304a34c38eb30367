import { describe, expect, it } from "vitest"
import type { SseEvent } from "../../../src/domain/sse-event.ts"
import { responses, responsesReply } from "../../../src/wire/responses/responses.ts"
import { payloadsOf } from "../decoding.ts"
import { kelpCall, model, reefCall, threeWords, twoWords } from "../scenarios.ts"

const text = threeWords
const reasoning = twoWords
const calls = [kelpCall, reefCall]

const terminalOf = (events: ReadonlyArray<SseEvent>) => payloadsOf(events).at(-1)?.["response"]

describe("the Responses JSON reply", () => {
  it("is the response object of the terminal event, without the text shortcut", () => {
    const pairs = [
      [responses.text({ model, text }), responsesReply.text({ model, text })],
      [responses.incomplete({ model, text }), responsesReply.incomplete({ model, text })],
      [responses.failed({ model, message: "boom" }), responsesReply.failed({ model, message: "boom" })],
      [responses.calls({ model, calls }), responsesReply.calls({ model, calls })],
      [
        responses.doomCheck({ model, reasoning, labels: ["a"] }),
        responsesReply.doomCheck({ model, reasoning, labels: ["a"] })
      ]
    ] as const

    for (const [events, reply] of pairs) {
      expect(JSON.stringify(reply)).toBe(JSON.stringify(terminalOf(events)))
      expect(reply).not.toHaveProperty("output_text")
    }
  })
})
