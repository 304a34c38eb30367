import { describe, expect, it } from "vitest"
import type { FaultName } from "../../../src/domain/fault-names.ts"
import { isRecord } from "../../../src/domain/json.ts"
import type { Voice } from "../../../src/faults/catalogue/voice.ts"
import { mock } from "../voices/written.ts"
import { bodyOf, headOf, lineOf, planOf, textOf, voices } from "./planned.ts"

const replied = (name: FaultName, voice: Voice): string => textOf(planOf(name, { voice, kind: "reply" }))

const jsonOf = (text: string): Readonly<Record<string, unknown>> => {
  const value: unknown = JSON.parse(text)
  return isRecord(value) ? value : {}
}

const everywhere = (check: (voice: Voice) => void): void => {
  for (const [, voice] of voices) check(voice)
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe("a JSON reply", () => {
  it.each<FaultName>([
    "data_after_done",
    "duplicate_done",
    "truncated_event",
    "bom_stream",
    "partial_stall",
    "half_close",
    "vanish",
    "cut_at_event",
    "cut_at_byte",
    "cut_in_character",
    "cut_before_blank_line",
    "cut_before_done",
    "bad_chunk_framing",
    "garbage",
    "html_page"
  ])("of %s is no JSON", (name) => {
    everywhere((voice) =>
      expect([replied(name, voice), isJson(replied(name, voice))]).toEqual([expect.anything(), false])
    )
  })

  it.each<FaultName>([
    "success",
    "slow_head",
    "content_filter",
    "missing_finish",
    "reasoning_only",
    "tool_call_truncated",
    "tool_call_invalid",
    "parallel_tool_calls",
    "usage_missing",
    "usage_overflow",
    "split_frames",
    "split_utf8",
    "split_crlf",
    "crlf_stream",
    "repeated_event",
    "reordered_events",
    "unknown_event",
    "error_event",
    "json_error_ok",
    "length_mismatch",
    "drip",
    "hold_open"
  ])("of %s is JSON under its content type", (name) => {
    everywhere((voice) => {
      expect(jsonOf(replied(name, voice))).not.toEqual({})
      expect(headOf(planOf(name, { voice, kind: "reply" })).headers["content-type"]).toBe("application/json")
    })
  })

  it("of missing_finish lacks what says how the answer finished, and nothing else", () => {
    everywhere((voice) => {
      const reply = replied("missing_finish", voice)

      expect(reply).toContain("mock response recovered")
      expect(reply).not.toMatch(/"(finish_reason|stop_reason|status)"/)
      expect(Object.keys(jsonOf(reply))).toEqual(
        Object.keys(jsonOf(replied("success", voice))).filter((key) => key !== "stop_reason" && key !== "status")
      )
    })
  })

  it("of the odd streams says the text as such a stream does", () => {
    everywhere((voice) => {
      expect(replied("repeated_event", voice)).toContain('"mock response recoveredcovered"')
      expect(replied("reordered_events", voice)).toContain('"mock rescoveredponse re"')
      expect(jsonOf(replied("unknown_event", voice))).toEqual({
        ...jsonOf(replied("success", voice)),
        mock_unknown: true
      })
      expect(replied("data_after_done", voice)).toContain("discarded partial response")
      expect(replied("duplicate_done", voice)).toBe(`${replied("success", voice)}}`)
    })
  })

  it("of a stalled or cut answer announces the length of all of it", () => {
    everywhere((voice) => {
      for (const name of ["partial_stall", "half_close", "vanish"] as const) {
        const plan = planOf(name, { voice, kind: "reply" })
        const announced = Number(headOf(plan).headers["content-length"])

        expect(bodyOf(plan).byteLength).toBe(Math.floor(announced / 2))
      }
    })
  })

  it("of an interrupted answer is cut where it says", () => {
    expect(lineOf(planOf("cut_before_done", { voice: mock("chat"), kind: "reply" }))).toBe("head, body, wait(10), fin")
    everywhere((voice) => {
      expect(replied("cut_before_done", voice)).toBe(replied("success", voice).slice(0, -1))
      expect(replied("cut_before_blank_line", voice)).toBe(replied("success", voice).slice(0, -1))
      expect(replied("truncated_event", voice)).toBe(replied("success", voice).slice(0, -1))
    })
  })
})
