import { describe, expect, it } from "vitest"
import { minimalChat } from "../../../src/wire/chat/minimal.ts"

const dataOf = (events: ReturnType<typeof minimalChat.text>) => events.map(({ data }) => data)

describe("the minimal chat dialect", () => {
  it("cuts text every 8 code points and ends with an empty content, usage and no total", () => {
    expect(dataOf(minimalChat.text({ text: "mock response recovered" }))).toEqual([
      '{"choices":[{"index":0,"delta":{"content":"mock res"},"finish_reason":null}]}',
      '{"choices":[{"index":0,"delta":{"content":"ponse re"},"finish_reason":null}]}',
      '{"choices":[{"index":0,"delta":{"content":"covered"},"finish_reason":null}]}',
      '{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":23}}',
      "[DONE]"
    ])
  })

  it("counts code points, and none for an empty answer", () => {
    expect(dataOf(minimalChat.text({ text: "😀😀" })).at(-2)).toContain('"completion_tokens":2')
    expect(dataOf(minimalChat.text({ text: "", finishReason: "length" }))).toEqual([
      '{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"length"}],"usage":{"prompt_tokens":3,"completion_tokens":0}}',
      "[DONE]"
    ])
  })

  it("sends a call in two deltas cut at half the argument length, the first with the announcement", () => {
    const events = minimalChat.call({ callId: "mock-call-1", name: "mock_tool", arguments: '{"value":"mock"}' })

    expect(dataOf(events)).toEqual([
      '{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"mock-call-1","type":"function","function":{"name":"mock_tool","arguments":"{\\"value\\""}}]},"finish_reason":null}]}',
      '{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":":\\"mock\\"}"}}]},"finish_reason":null}]}',
      '{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3,"completion_tokens":2}}',
      "[DONE]"
    ])
  })
})
