import { describe, expect, it } from "vitest"
import type { FaultName } from "../../../src/domain/fault-names.ts"
import type { FaultSettings } from "../../../src/domain/fault-options.ts"
import type { SseEvent } from "../../../src/domain/sse-event.ts"
import type { Voice } from "../../../src/faults/catalogue/voice.ts"
import { eventRole } from "../../../src/faults/catalogue/voices/event-role.ts"
import { readEvents } from "../../../src/wire/sse-reader.ts"
import { faithful, formats, mock } from "../voices/written.ts"
import { bodyOf, planOf, textOf, voices } from "./planned.ts"

const heard = (name: FaultName, voice: Voice, settings: Partial<FaultSettings> = {}): ReadonlyArray<SseEvent> =>
  readEvents(textOf(planOf(name, { voice, settings })))

const rolesOf = (voice: Voice, events: ReadonlyArray<SseEvent>) => events.map((event) => eventRole(voice.format, event))

const dataOf = (name: FaultName, voice: Voice): ReadonlyArray<string> => heard(name, voice).map(({ data }) => data)

/** Several pieces, and one. */
const cuts: ReadonlyArray<Partial<FaultSettings>> = [{}, { chunkSize: 1_000 }]

const everywhere = (check: (voice: Voice, settings: Partial<FaultSettings>) => void): void => {
  for (const [, voice] of voices) for (const settings of cuts) check(voice, settings)
}

describe("a stream", () => {
  it("of error_event has the error of its format behind the text", () => {
    everywhere((voice, settings) => {
      const events = heard("error_event", voice, settings)

      expect(events.slice(0, -1)).toEqual(heard("partial_eof", voice, settings))
      expect(events.at(-1)?.data).toContain("mock server error")
      expect(rolesOf(voice, events).at(-1)).toBe("last")
    })
    expect(dataOf("error_event", mock("responses")).at(-1)).toMatch(/"sequence_number":8}$/)
  })

  it("of missing_finish never says how the answer finished", () => {
    everywhere((voice, settings) => {
      const roles = rolesOf(voice, heard("missing_finish", voice, settings))

      expect(roles).not.toContain("finish")
      expect(textOf(planOf("missing_finish", { voice, settings }))).not.toMatch(/response\.completed|end_turn|"stop"/)
    })
    expect(dataOf("missing_finish", mock("chat")).at(-1)).toBe("[DONE]")
    expect(dataOf("missing_finish", mock("messages")).at(-1)).toBe('{"type":"message_stop"}')
    expect(dataOf("missing_finish", faithful("responses", { profile: "compact" })).at(-1)).toBe("[DONE]")
  })

  it("of truncated_event lacks nothing but its last line feed", () => {
    everywhere((voice, settings) => {
      const good = textOf(planOf("success", { voice, settings }))

      expect(textOf(planOf("truncated_event", { voice, settings }))).toBe(good.slice(0, -1))
      expect(heard("truncated_event", voice, settings)).toEqual(readEvents(good).slice(0, -1))
    })
  })

  it("of data_after_done goes on with other text", () => {
    everywhere((voice, settings) => {
      const good = heard("success", voice, settings)
      const events = heard("data_after_done", voice, settings)

      expect(events.slice(0, good.length)).toEqual(good)
      expect(events.length).toBeGreaterThan(good.length)
      expect(events[good.length]?.data).toContain("discarde")
      expect(new Set(rolesOf(voice, events.slice(good.length))).size).toBe(1)
    })
  })

  it("of duplicate_done ends twice", () => {
    everywhere((voice, settings) => {
      const good = heard("success", voice, settings)

      expect(heard("duplicate_done", voice, settings)).toEqual([...good, ...good.slice(-1)])
    })
  })

  it("of repeated_event has one event more, the same as the one before", () => {
    everywhere((voice, settings) => {
      const good = heard("success", voice, settings)
      const events = heard("repeated_event", voice, settings)
      const at = events.findIndex(({ data }, index) => data === events[index - 1]?.data)

      expect(events.length).toBe(good.length + 1)
      expect(events.toSpliced(at, 1)).toEqual(good)
      expect(events[at]?.data).toMatch(/recovered|covered|ponse re/)
    })
  })

  it("of reordered_events has two neighbours in the wrong order", () => {
    everywhere((voice, settings) => {
      const good = heard("success", voice, settings)
      const events = heard("reordered_events", voice, settings)
      const at = events.findIndex(({ data }, index) => data !== good[index]?.data)

      expect(at).toBeGreaterThanOrEqual(0)
      expect(events.toSpliced(at, 2, ...events.slice(at, at + 2).toReversed())).toEqual(good)
    })
    expect(dataOf("reordered_events", mock("chat")).map((data) => /"content":"([^"]+)"/.exec(data)?.[1] ?? "")).toEqual(
      ["mock res", "covered", "ponse re", "", ""]
    )
  })

  it("of unknown_event has one event more, between two that it has anyway", () => {
    everywhere((voice, settings) => {
      const good = heard("success", voice, settings)
      const events = heard("unknown_event", voice, settings)
      const at = events.findIndex(({ data }) => data.includes("mock_unknown"))

      expect(events.toSpliced(at, 1)).toEqual(good)
      expect(at).toBeGreaterThan(0)
      expect(at).toBeLessThan(good.length)
    })
  })
})

describe("a turn", () => {
  const endings = {
    content_filter: ['"finish_reason":"content_filter"', '"reason":"content_filter"', '"stop_reason":"refusal"'],
    tool_call_truncated: ['"finish_reason":"length"', '"reason":"max_output_tokens"', '"stop_reason":"max_tokens"'],
    tool_call_invalid: ['"finish_reason":"tool_calls"', '"status":"completed"', '"stop_reason":"tool_use"'],
    parallel_tool_calls: ['"finish_reason":"tool_calls"', '"status":"completed"', '"stop_reason":"tool_use"'],
    reasoning_only: ['"finish_reason":"stop"', '"status":"completed"', '"stop_reason":"end_turn"'],
    usage_overflow: ['"finish_reason":"stop"', '"status":"completed"', '"stop_reason":"end_turn"']
  } as const

  it.each(Object.entries(endings))("of %s says that in the words of each format", (name, words) => {
    for (const [, voice] of voices) {
      for (const kind of ["stream", "reply"] as const) {
        const text = textOf(planOf(name as keyof typeof endings, { voice, kind }))

        expect(text).toContain(words[formats.indexOf(voice.format)])
      }
    }
  })

  it("of tool_call_truncated has the first half of the arguments, of one character none", () => {
    expect(dataOf("tool_call_truncated", mock("chat"))[0]).toContain('"arguments":"{\\"value\\""')
    for (const [, voice] of voices) {
      const text = textOf(planOf("tool_call_truncated", { voice, settings: { toolArguments: '{"a":"🌊"}' } }))
      expect(text).not.toContain("🌊")
      expect(textOf(planOf("tool_call_truncated", { voice, settings: { toolArguments: "7" } }))).not.toContain('"7"')
    }
  })

  it("of tool_call_invalid has arguments that are no JSON", () => {
    for (const [, voice] of voices) {
      expect(textOf(planOf("tool_call_invalid", { voice }))).toContain("{not")
    }
    expect(dataOf("tool_call_invalid", mock("chat")).slice(0, 2).join("")).toMatch(/"{not".*"-json"/)
  })

  it("of parallel_tool_calls has two calls whose fragments come in turns", () => {
    const indexes = dataOf("parallel_tool_calls", mock("chat")).flatMap(
      (data) => /"tool_calls":\[{"index":(\d)/.exec(data)?.[1] ?? []
    )

    expect(indexes).toEqual(["0", "1", "0", "1"])
    for (const [, voice] of voices) {
      const text = textOf(planOf("parallel_tool_calls", { voice }))
      expect(text).toContain("mock-call-1")
      expect(text).toContain("mock-call-2")
    }
  })

  it("of reasoning_only has no text", () => {
    for (const [, voice] of voices) {
      const text = textOf(planOf("reasoning_only", { voice, settings: { successText: "visible", chunkSize: 20 } }))
      expect(text).toContain("mock reasoning")
      expect(text).not.toContain("visible")
    }
  })

  it("of usage_missing has no token counts but those that Messages start with", () => {
    for (const [, voice] of voices) {
      const reply = textOf(planOf("usage_missing", { voice, kind: "reply" }))
      const counted = dataOf("usage_missing", voice).filter((data) => /"usage":\{/.test(data))

      expect(reply).not.toMatch(/"usage"|"total_tokens"/)
      expect(counted.length).toBe(voice.format === "messages" ? 1 : 0)
    }
  })

  it("of usage_overflow has read one token more than the context window holds", () => {
    for (const [, voice] of voices) {
      for (const kind of ["stream", "reply"] as const) {
        expect(textOf(planOf("usage_overflow", { voice, kind, settings: { contextWindow: 4_000 } }))).toMatch(
          /"(prompt|input)_tokens":4001\b/
        )
      }
    }
  })
})

describe("a body that is none of its type", () => {
  it("of garbage is the same bytes everywhere, and no text", () => {
    const bodies = voices.map(([, voice]) => bodyOf(planOf("garbage", { voice })).toString("hex"))

    expect(new Set(bodies).size).toBe(1)
    expect(() => new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(bodies[0] ?? "", "hex"))).toThrow()
    expect(bodies[0]?.length).toBe(512)
  })
})
