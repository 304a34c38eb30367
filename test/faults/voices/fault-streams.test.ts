import { describe, expect, it } from "vitest"
import type { Turn } from "../../../src/faults/catalogue/voice.ts"
import { dataOf, formats, mock, parallelTurn, textOnly, thought } from "./written.ts"

const responses = mock("responses")
const messages = mock("messages")
const typesOf = (data: ReadonlyArray<string>) => data.map((text) => JSON.parse(text).type)

describe("Responses in the fault server's dialect", () => {
  it("opens interleaved calls, sends their fragments in turns, and closes them", () => {
    const events = responses.events(parallelTurn).map(({ data }) => JSON.parse(data))
    const inner = events.slice(2, -1).map((event) => `${event.output_index} ${event.type}`)

    expect(inner).toEqual([
      "0 response.output_item.added",
      "1 response.output_item.added",
      "0 response.function_call_arguments.delta",
      "1 response.function_call_arguments.delta",
      "0 response.function_call_arguments.delta",
      "1 response.function_call_arguments.delta",
      "0 response.function_call_arguments.done",
      "0 response.output_item.done",
      "1 response.function_call_arguments.done",
      "1 response.output_item.done"
    ])
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, at) => at))
    expect(events.at(-1).response.output.map(({ id }: { readonly id: string }) => id)).toEqual([
      "fc_mock_1",
      "fc2_mock_1"
    ])
  })

  it("leaves only the last item of a filtered answer incomplete", () => {
    const turn: Turn = {
      ...textOnly,
      parts: [...textOnly.parts, ...textOnly.parts],
      finish: "content_filter"
    }
    const last = JSON.parse(responses.events(turn).at(-1)?.data ?? "")

    expect(last.type).toBe("response.incomplete")
    expect(last.response.incomplete_details).toEqual({ reason: "content_filter" })
    expect(last.response.output.map(({ status }: { readonly status: string }) => status)).toEqual([
      "completed",
      "incomplete"
    ])
  })

  it("has no usage member at its end when the turn has none", () => {
    expect(responses.events({ ...textOnly, usage: "none" }).at(-1)?.data).not.toContain("usage")
  })
})

describe("Messages in the fault server's dialect", () => {
  it("opens interleaved calls, sends their fragments in turns, and closes them", () => {
    const events = messages.events(parallelTurn).map(({ data }) => JSON.parse(data))

    expect(events.slice(1, -2).map(({ type, index }) => `${index} ${type}`)).toEqual([
      "0 content_block_start",
      "1 content_block_start",
      "0 content_block_delta",
      "1 content_block_delta",
      "0 content_block_delta",
      "1 content_block_delta",
      "0 content_block_stop",
      "1 content_block_stop"
    ])
  })

  it("refuses a filtered answer", () => {
    expect(messages.events({ ...textOnly, finish: "content_filter" }).at(-2)?.data).toContain('"stop_reason":"refusal"')
  })

  it("keeps the usage of its start, which clients need, in a turn without usage", () => {
    const data = dataOf(messages.events({ ...textOnly, usage: "none" }))

    expect(data.filter((text) => text.includes("usage"))).toEqual([data[0]])
  })

  it("starts with the input tokens of the turn", () => {
    expect(messages.events({ ...thought, usage: 128_001 })[0]?.data).toContain('"usage":{"input_tokens":128001,')
  })
})

describe("odd events", () => {
  it("carry an error in the band of each format", () => {
    const [chat, flat, overloaded] = formats.map((format) => mock(format).errorEvent("boom"))

    expect(chat).toEqual({
      event: null,
      data: '{"error":{"message":"boom","type":"mock_error","code":"server_error"}}',
      role: "last"
    })
    expect(flat).toEqual({
      event: "error",
      data: '{"type":"error","code":"server_error","message":"boom","param":null,"sequence_number":0}',
      role: "last"
    })
    expect(overloaded).toEqual({
      event: "error",
      data: '{"type":"error","error":{"type":"overloaded_error","message":"boom"}}',
      role: "last"
    })
  })

  it("are of a type that nobody knows", () => {
    expect(formats.map((format) => mock(format).unknownEvent())).toEqual([
      { event: null, data: '{"type":"mock_unknown"}', role: "opening" },
      { event: "response.mock_unknown", data: '{"type":"response.mock_unknown"}', role: "opening" },
      { event: "mock_unknown", data: '{"type":"mock_unknown"}', role: "opening" }
    ])
  })

  it("take a sequence number in Responses though they have none", () => {
    const data = dataOf(responses.around([responses.unknownEvent(), responses.unknownEvent()]))

    expect(typesOf(data)).toEqual([
      "response.created",
      "response.in_progress",
      "response.mock_unknown",
      "response.mock_unknown",
      "response.completed"
    ])
    expect(data.at(-1)).toContain('"sequence_number":4}')
  })
})

it("a stream has the same two headers in every format", () => {
  for (const format of formats) {
    expect(mock(format).streamHeaders).toEqual([
      ["content-type", "text/event-stream; charset=utf-8"],
      ["cache-control", "no-cache"]
    ])
  }
})
