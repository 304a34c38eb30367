import { expect, test } from "vitest"
import { builtInProfile } from "../../../src/harness/profile/built-in-profiles.ts"
import { readHeadlessOutput } from "../../../src/harness/profile/headless-answer.ts"
import { headlessArguments } from "../../../src/harness/profile/program-arguments.ts"

const said = (id: string, format: string, stdout: string) =>
  readHeadlessOutput(stdout, headlessArguments(builtInProfile(id), { prompt: "hello", cwd: "/w", format }).format)

const lines = (...events: ReadonlyArray<object>): string => events.map((event) => `${JSON.stringify(event)}\n`).join("")

// What these agents printed in real runs, shortened.
test.each([
  ["grok", "text", "Echo: hello\n", "Echo: hello", null],
  [
    "grok",
    "json",
    '{\n  "text": "Echo: hello",\n  "stopReason": "end_turn",\n  "sessionId": "s1"\n}\n',
    "Echo: hello",
    "s1"
  ],
  [
    "grok",
    "ndjson",
    lines(
      { type: "available_commands", tools: [] },
      { type: "text", data: "Echo:" },
      { type: "text", data: " hello" },
      { type: "end", stopReason: "end_turn", sessionId: "s1" }
    ),
    "Echo: hello",
    "s1"
  ],
  [
    "grok",
    "messages",
    lines({ type: "system", subtype: "init" }, { type: "result", result: "Echo: hello", session_id: "s1" }),
    "Echo: hello",
    "s1"
  ],
  [
    "codex",
    "ndjson",
    lines(
      { type: "thread.started", thread_id: "t1" },
      { type: "item.completed", item: { id: "item_0", type: "error", message: "Model metadata not found" } },
      { type: "item.completed", item: { id: "item_1", type: "agent_message", text: "Echo: hello" } },
      { type: "turn.completed", usage: {} }
    ),
    "Echo: hello",
    null
  ],
  ["claude", "json", '{"type":"result","result":"Echo: hello","session_id":"s1"}', "Echo: hello", "s1"],
  [
    "qwen",
    "json",
    '[{"type":"system"},{"type":"assistant"},{"type":"result","result":"Echo: hello","session_id":"s1"}]',
    "Echo: hello",
    "s1"
  ],
  [
    "pi",
    "ndjson",
    lines(
      { type: "session", id: "s1" },
      { type: "message_end", message: { role: "user", content: [{ type: "text", text: "hello" }] } },
      { type: "message_end", message: { role: "assistant", content: [{ type: "text", text: "Echo: hello" }] } },
      { type: "agent_end", messages: [] }
    ),
    "Echo: hello",
    null
  ]
])("the answer of %s as %s is found in what it prints", (id, format, stdout, answer, sessionId) => {
  expect(said(id, format, stdout)).toMatchObject({ answer, sessionId })
})

test("what is no JSON is passed over, and a run that broke off has no terminal event", () => {
  expect(said("grok", "ndjson", 'warning\n{"type":"text","data":"Ec"}\n{"type":')).toEqual({
    answer: "Ec",
    sessionId: null,
    terminal: undefined
  })
  expect(said("grok", "json", "")).toEqual({ answer: null, sessionId: null, terminal: undefined })
})
