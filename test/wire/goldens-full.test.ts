import { describe, expect, it } from "vitest"
import { chat } from "../../src/wire/chat/chat.ts"
import { messages } from "../../src/wire/messages/messages.ts"
import { responses } from "../../src/wire/responses/responses.ts"
import { encodeEvents } from "../../src/wire/sse-frame.ts"
import { measured } from "./decoding.ts"

const hi = { model: "m", text: "Hi  there\n" }

// wire-formats.md, section 7.2
const goldens = [
  [
    19,
    "chat with usage",
    chat.text({ ...hi, includeUsage: true }),
    7,
    1719,
    "a28c6e62882733f139f095a81cd7e67e8b2fb947e0741533314abb7df16ede18"
  ],
  [
    20,
    "chat without usage",
    chat.text(hi),
    6,
    1229,
    "999a12aa51be7bc1044462daeb5fc899fa3fde24ba61b09e2ef137dae71a566c"
  ],
  [21, "Responses", responses.text(hi), 11, 4298, "c9130079306e1e61226d3d659cd7f3f9c088bbeddb60c3c758ff0120633ea07c"],
  [22, "Messages", messages.text(hi), 9, 1488, "fa0f04ad754c59f30e3f7a284dbfc76b85bfec57efdc790b413ce3bff8858722"]
] as const

describe("full bytes", () => {
  it.each(goldens)("golden %i, %s, is reproduced to the byte", (_number, _scenario, events, frames, bytes, sha256) => {
    expect(measured(events)).toEqual({ frames, bytes, sha256 })
  })

  it("a chat text with usage reads as documented", () => {
    const head =
      '{"id":"chatcmpl-mock","object":"chat.completion.chunk","created":1234567890,"model":"tide-1","service_tier":"default","system_fingerprint":"fp_mock","choices":['
    const expected = [
      `${head}{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}],"usage":null}`,
      `${head}{"index":0,"delta":{"content":"Sea"},"logprobs":null,"finish_reason":null}],"usage":null}`,
      `${head}{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}],"usage":null}`,
      `${head}],"usage":{"prompt_tokens":10,"completion_tokens":1,"total_tokens":11,"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}}}`,
      "[DONE]"
    ]

    const events = chat.text({ model: "tide-1", text: "Sea", includeUsage: true })

    expect(encodeEvents(events)).toBe(expected.map((data) => `data: ${data}\n\n`).join(""))
  })

  it("a Messages text reads as documented", () => {
    const expected = [
      [
        "message_start",
        '{"type":"message_start","message":{"id":"msg_mock","type":"message","role":"assistant","model":"tide-1","content":[],"stop_reason":null,"stop_sequence":null,"stop_details":null,"container":null,"diagnostics":null,"usage":{"input_tokens":10,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},"output_tokens":1,"output_tokens_details":null,"server_tool_use":null,"service_tier":"standard","inference_geo":null,"speed":null}}}'
      ],
      [
        "content_block_start",
        '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"","citations":null}}'
      ],
      ["ping", '{"type":"ping"}'],
      ["content_block_delta", '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Sea "}}'],
      ["content_block_delta", '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"calm"}}'],
      ["content_block_stop", '{"type":"content_block_stop","index":0}'],
      [
        "message_delta",
        '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null,"stop_details":null,"container":null},"usage":{"input_tokens":10,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":2,"output_tokens_details":null,"server_tool_use":null}}'
      ],
      ["message_stop", '{"type":"message_stop"}']
    ]

    const events = messages.text({ model: "tide-1", text: "Sea calm" })

    expect(encodeEvents(events)).toBe(expected.map(([name, data]) => `event: ${name}\ndata: ${data}\n\n`).join(""))
  })
})
