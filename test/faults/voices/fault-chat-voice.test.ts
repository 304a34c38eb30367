import { describe, expect, it } from "vitest"
import { emptyTurn } from "../../../src/faults/catalogue/turns.ts"
import { dataOf, mock, parallelTurn, textOnly, thought } from "./written.ts"

const minimal = mock("chat", { chunkShape: "minimal" })
const chunk = (delta: string, reason = "null", rest = "") =>
  `{"choices":[{"index":0,"delta":${delta},"finish_reason":${reason}}]${rest}}`
const head = '{"id":"chatcmpl-mock-1","object":"chat.completion.chunk","created":0,"model":"m","choices":['

describe("chat in the minimal shape", () => {
  it("announces with a role", () => {
    expect(minimal.announcement()).toEqual({ event: null, data: chunk('{"role":"assistant"}'), role: "opening" })
  })

  it("gives thoughts their own key", () => {
    expect(dataOf(minimal.events(thought)).slice(0, 2)).toEqual([
      chunk('{"reasoning_content":"deep "}'),
      chunk('{"reasoning_content":"sea"}')
    ])
  })

  it("sends the fragments of interleaved calls in turns, the id with the first of each", () => {
    expect(dataOf(minimal.events(parallelTurn))).toEqual([
      chunk(
        '{"tool_calls":[{"index":0,"id":"call-a","type":"function","function":{"name":"depth","arguments":"{\\"m\\""}}]}'
      ),
      chunk('{"tool_calls":[{"index":1,"id":"call-b","type":"function","function":{"name":"tide","arguments":"{"}}]}'),
      chunk('{"tool_calls":[{"index":0,"function":{"arguments":":40}"}}]}'),
      chunk('{"tool_calls":[{"index":1,"function":{"arguments":"}"}}]}'),
      chunk('{"content":""}', '"tool_calls"', ',"usage":{"prompt_tokens":3,"completion_tokens":2}'),
      "[DONE]"
    ])
  })

  it("announces a call without a single fragment", () => {
    const calls = [{ id: "call-a", name: "depth", pieces: [] }]
    const turn = { parts: [{ kind: "calls" as const, calls }], finish: "tool_calls" as const, outputTokens: 2 }

    expect(minimal.events(turn)[0]?.data).toBe(
      chunk('{"tool_calls":[{"index":0,"id":"call-a","type":"function","function":{"name":"depth","arguments":""}}]}')
    )
  })

  it("says the reason of a filtered answer", () => {
    expect(minimal.events({ ...textOnly, finish: "content_filter" }).at(-2)?.data).toContain(
      '"finish_reason":"content_filter"'
    )
  })
})

describe("chat in the complete shape", () => {
  const complete = mock("chat")

  it("carries the envelope, the role in the first delta, and the total", () => {
    expect(dataOf(complete.events(textOnly))).toEqual([
      `${head}{"index":0,"delta":{"role":"assistant","content":"Sea "},"finish_reason":null}]}`,
      `${head}{"index":0,"delta":{"content":"calm"},"finish_reason":null}]}`,
      `${head}{"index":0,"delta":{"content":""},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":8,"total_tokens":11}}`,
      "[DONE]"
    ])
  })

  it("puts the role into the only chunk of an empty answer", () => {
    expect(complete.events(emptyTurn)[0]?.data).toBe(
      `${head}{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":0,"total_tokens":3}}`
    )
  })

  it("announces with a role", () => {
    expect(complete.announcement().data).toBe(`${head}{"index":0,"delta":{"role":"assistant"},"finish_reason":null}]}`)
  })

  it("leaves raw events as they are", () => {
    expect(dataOf(complete.around([complete.malformedEvent("shape")]))).toEqual(['{"choices":[null]}', "[DONE]"])
  })
})

describe("the place of chat usage", () => {
  const usage = '"usage":{"prompt_tokens":3,"completion_tokens":8}'
  const bare = chunk('{"content":""}', '"stop"')
  const attached = chunk('{"content":""}', '"stop"', `,${usage}`)
  const trailing = `{"choices":[],${usage}}`
  const endings = [
    ["attached", false, [attached]],
    ["attached", true, [attached]],
    ["trailing", false, [bare, trailing]],
    ["both", false, [attached, trailing]],
    ["none", true, [bare]],
    ["auto", false, [attached]],
    ["auto", true, [bare, trailing]]
  ] as const

  for (const [usagePlacement, includeUsage, expected] of endings) {
    it(`is right for ${usagePlacement} when usage was ${includeUsage ? "" : "not "}asked for`, () => {
      const voice = mock("chat", { chunkShape: "minimal", usagePlacement, includeUsage })
      const finish = voice.events(textOnly).filter(({ role }) => role === "finish")

      expect(dataOf(finish)).toEqual(expected)
    })
  }

  it("is nowhere in a turn without usage, wherever it should be", () => {
    const voice = mock("chat", { usagePlacement: "both" })

    expect(dataOf(voice.events({ ...textOnly, usage: "none" })).join()).not.toContain("usage")
  })

  it("carries the input tokens of the turn", () => {
    expect(
      mock("chat")
        .events({ ...textOnly, usage: 128_001 })
        .at(-2)?.data
    ).toContain('"usage":{"prompt_tokens":128001,"completion_tokens":8,"total_tokens":128009}')
  })
})
