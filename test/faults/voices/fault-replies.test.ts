import { describe, expect, it } from "vitest"
import type { Behavior } from "../../../src/faults/catalogue/behavior.ts"
import { empty } from "../../../src/faults/catalogue/behaviors/empty.ts"
import { malformedEvent } from "../../../src/faults/catalogue/behaviors/malformed-event.ts"
import { malformedJson } from "../../../src/faults/catalogue/behaviors/malformed-json.ts"
import { maxTokens } from "../../../src/faults/catalogue/behaviors/max-tokens.ts"
import { reasoningSuccess } from "../../../src/faults/catalogue/behaviors/reasoning-success.ts"
import { streamEof } from "../../../src/faults/catalogue/behaviors/stream-eof.ts"
import { success } from "../../../src/faults/catalogue/behaviors/success.ts"
import { toolCallSuccess } from "../../../src/faults/catalogue/behaviors/tool-call-success.ts"
import { answered, formats, mock, textOf, textOnly } from "./written.ts"

const chat = (message: string, { reason = "stop", tokens = 23 } = {}) =>
  `{"id":"chatcmpl-mock-1","object":"chat.completion","created":0,"model":"m","choices":[{"index":0,"message":${message},"finish_reason":"${reason}"}],"usage":{"prompt_tokens":3,"completion_tokens":${tokens},"total_tokens":${tokens + 3}}}`

const responses = (output: string, { status = "completed", details = "null", tokens = 23 } = {}) =>
  `{"id":"resp_mock_1","object":"response","created_at":0,"status":"${status}","model":"m","output":[${output}],"error":null,"incomplete_details":${details},"usage":{"input_tokens":3,"input_tokens_details":{"cached_tokens":0},"output_tokens":${tokens},"output_tokens_details":{"reasoning_tokens":0},"total_tokens":${tokens + 3}}}`

const messages = (content: string, { reason = "end_turn", tokens = 23 } = {}) =>
  `{"id":"msg_mock_1","type":"message","role":"assistant","model":"m","content":[${content}],"stop_reason":"${reason}","stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":${tokens}}}`

const said = '{"role":"assistant","content":"mock response recovered"}'
const item = (status: string) =>
  `{"id":"msg_mock_1","type":"message","status":"${status}","role":"assistant","content":[{"type":"output_text","text":"mock response recovered","annotations":[]}]}`
const block = '{"type":"text","text":"mock response recovered"}'
const input = '"{\\"value\\":\\"mock\\"}"'

// fault-server.md, section 9.4.5; what it does not pin is made from the events of the same turn.
const rows: ReadonlyArray<readonly [Behavior, string, string, string]> = [
  [success, chat(said), responses(item("completed")), messages(block)],
  [
    maxTokens,
    chat(said, { reason: "length" }),
    responses(item("incomplete"), { status: "incomplete", details: '{"reason":"max_output_tokens"}' }),
    messages(block, { reason: "max_tokens" })
  ],
  [
    reasoningSuccess,
    chat('{"role":"assistant","content":"mock response recovered","reasoning_content":"mock reasoning"}'),
    responses(
      `{"id":"rs_mock_1","type":"reasoning","summary":[{"type":"summary_text","text":"mock reasoning"}]},${item("completed")}`
    ),
    messages(`{"type":"thinking","thinking":"mock reasoning","signature":"bW9jaw=="},${block}`)
  ],
  [
    toolCallSuccess,
    chat(
      `{"role":"assistant","content":null,"tool_calls":[{"id":"mock-call-1","type":"function","function":{"name":"mock_tool","arguments":${input}}}]}`,
      { reason: "tool_calls", tokens: 2 }
    ),
    responses(
      `{"id":"fc_mock_1","type":"function_call","status":"completed","call_id":"mock-call-1","name":"mock_tool","arguments":${input}}`,
      { tokens: 2 }
    ),
    messages('{"type":"tool_use","id":"mock-call-1","name":"mock_tool","input":{"value":"mock"}}', {
      reason: "tool_use",
      tokens: 2
    })
  ],
  [
    empty,
    chat('{"role":"assistant","content":""}', { tokens: 0 }),
    responses("", { tokens: 0 }),
    messages("", { tokens: 0 })
  ],
  [malformedJson, "{not-json", "{not-json", "{not-json"],
  [malformedEvent, '{"choices":[null]}', '{"output":null}', '{"content":null}'],
  [streamEof, "{", "{", "{"]
]

describe("the JSON replies of the fault server", () => {
  for (const [behavior, ...bodies] of rows) {
    for (const [at, format] of formats.entries()) {
      it(`answer ${behavior.name} in ${format}`, () => {
        expect(textOf(answered(behavior, mock(format)))).toBe(bodies[at])
      })
    }
  }

  it("are the same for both chunk shapes", () => {
    expect(textOf(answered(success, mock("chat", { chunkShape: "minimal" })))).toBe(chat(said))
  })

  it("say that an answer was filtered", () => {
    const replies = formats.map((format) => mock(format).reply({ ...textOnly, finish: "content_filter" }))

    expect(replies[0]).toContain('"finish_reason":"content_filter"')
    expect(replies[1]).toContain('"status":"incomplete"')
    expect(replies[1]).toContain('"incomplete_details":{"reason":"content_filter"}')
    expect(replies[2]).toContain('"stop_reason":"refusal"')
  })

  it("have no usage when the turn has none, and the input tokens of the turn when it has", () => {
    for (const format of formats) {
      expect(mock(format).reply({ ...textOnly, usage: "none" })).not.toContain("usage")
      expect(mock(format).reply({ ...textOnly, usage: 128_001 })).toMatch(/"(prompt|input)_tokens":128001,/)
    }
  })

  it("carry arguments that are no JSON as text where Messages has an object", () => {
    const calls = [{ id: "call-a", name: "depth", pieces: ["{bro", "ken"] }]
    const turn = { parts: [{ kind: "calls" as const, calls }], finish: "tool_calls" as const, outputTokens: 2 }

    expect(mock("messages").reply(turn)).toContain('"input":"{broken"')
  })
})
