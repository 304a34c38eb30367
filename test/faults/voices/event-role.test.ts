import { describe, expect, it } from "vitest"
import { SseEvent } from "../../../src/domain/sse-event.ts"
import type { FaultFormat } from "../../../src/faults/catalogue/voice.ts"
import { eventRole } from "../../../src/faults/catalogue/voices/event-role.ts"
import { faithful, mock, textOnly, thought } from "./written.ts"

const rolesOf = (voice: ReturnType<typeof mock>, turn: typeof textOnly) =>
  voice.events(turn).map(({ role }) => role.slice(0, 2))

describe("the roles of a stream of two pieces", () => {
  const streams = {
    "chat, fault server": [mock("chat"), textOnly, "de de fi la"],
    "chat with trailing usage": [mock("chat", { usagePlacement: "trailing" }), textOnly, "de de fi fi la"],
    "chat, provider": [faithful("chat", { includeUsage: true }), thought, "op de de fi fi la"],
    "chat, compact": [faithful("chat", { profile: "compact" }), textOnly, "de fi fi la"],
    "responses, fault server": [mock("responses"), textOnly, "op op op op de de cl cl cl la"],
    "responses, provider": [faithful("responses"), thought, "op op op op de de cl cl cl la"],
    "responses, compact": [faithful("responses", { profile: "compact" }), textOnly, "op de de la la"],
    "messages, fault server": [mock("messages"), thought, "op op de de cl cl fi la"],
    "messages, provider": [faithful("messages"), thought, "op op op de de cl cl fi la"],
    "messages, compact": [faithful("messages", { profile: "compact" }), textOnly, "op op de cl fi la"]
  } as const

  for (const [name, [voice, turn, expected]] of Object.entries(streams)) {
    it(`are right in ${name}`, () => {
      expect(rolesOf(voice, turn).join(" ")).toBe(expected)
    })
  }
})

describe("the role of an event", () => {
  const rows: ReadonlyArray<readonly [FaultFormat, SseEvent, string]> = [
    ["chat", SseEvent.data("{not-json"), "delta"],
    ["chat", SseEvent.data('{"choices":[null]}'), "delta"],
    ["chat", SseEvent.data('{"error":{"message":"boom"}}'), "last"],
    ["chat", SseEvent.data('{"error":null,"choices":[{"delta":{"content":"a"},"finish_reason":null}]}'), "delta"],
    [
      "chat",
      SseEvent.data('{"choices":[{"delta":{"role":"assistant","content":""},"finish_reason":null}]}'),
      "opening"
    ],
    ["chat", SseEvent.data("7"), "opening"],
    ["responses", SseEvent.data("{not-json"), "delta"],
    ["responses", SseEvent.withEvent("response.output_text.delta", "{not-json"), "delta"],
    ["responses", SseEvent.data('{"type":"response.failed"}'), "last"],
    ["responses", SseEvent.withEvent("error", '{"type":"error"}'), "last"],
    ["responses", SseEvent.data('{"type":"response.web_search_call.completed"}'), "opening"],
    ["messages", SseEvent.data("{not-json"), "delta"],
    ["messages", SseEvent.withEvent("content_block_delta", "{not-json"), "delta"],
    ["messages", SseEvent.data('{"type":"ping"}'), "opening"],
    ["messages", SseEvent.data('{"type":"error"}'), "last"],
    ["messages", SseEvent.comment("hi"), "opening"]
  ]

  for (const [format, event, role] of rows) {
    it(`is ${role} for ${event.comment ?? event.data} of ${event.event ?? "no name"} in ${format}`, () => {
      expect(eventRole(format, event)).toBe(role)
    })
  }
})
