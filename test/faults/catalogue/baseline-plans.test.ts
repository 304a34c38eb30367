import { describe, expect, it } from "vitest"
import type { FaultName } from "../../../src/domain/fault-names.ts"
import { mock } from "../voices/written.ts"
import { lineOf, planOf } from "./planned.ts"

const events = (count: number): string => Array.from({ length: count }, () => "event").join(", ")
const pieces = (count: number): string => Array.from({ length: count }, () => "event, wait(25)").join(", ")

// fault-server.md, section 7.1, in chat, with the counts of section 1.2
const rows: ReadonlyArray<readonly [name: FaultName, plan: string]> = [
  ["connection_reset", "fin"],
  ["stream_disconnect", "head, wait(10), fin"],
  ["partial_disconnect", `head, ${pieces(4)}, wait(10), fin`],
  ["stall", "head, stall"],
  ["empty_body", "head, end"],
  ["stream_eof", "head, event, end"],
  ["partial_eof", `head, ${events(4)}, end`],
  ["slow_success", `head, ${pieces(3)}, event, event, end`],
  ["success", `head, ${events(5)}, end`],
  ["empty", `head, ${events(2)}, end`],
  ["malformed_json", `head, ${events(2)}, end`],
  ["malformed_event", `head, ${events(2)}, end`],
  ["wrong_content_type", `head, ${events(5)}, end`],
  ["reasoning_success", `head, ${events(7)}, end`],
  ["tool_call_success", `head, ${events(4)}, end`],
  ["max_tokens", `head, ${events(5)}, end`],
  ["rate_limit", "head, body, end"],
  ["server_error", "head, body, end"],
  ["service_unavailable", "head, body, end"],
  ["auth_error", "head, body, end"],
  ["invalid_request", "head, body, end"],
  ["context_overflow", "head, body, end"],
  ["quota_exceeded", "head, body, end"]
]

describe("the plans of the baseline", () => {
  it.each(rows)("%s is: %s", (name, plan) => {
    expect(lineOf(planOf(name, { voice: mock("chat", { chunkShape: "minimal" }) }))).toBe(plan)
  })

  it("drop with a reset where that was asked for", () => {
    for (const name of ["connection_reset", "stream_disconnect", "partial_disconnect"] as const) {
      expect(planOf(name, { voice: mock("chat"), settings: { resetMode: "rst" } }).ending).toBe("rst")
    }
  })
})

// fault-server.md, section 9.4.5
const replies: ReadonlyArray<readonly [name: FaultName, plan: string]> = [
  ["stream_disconnect", "head, wait(10), fin"],
  ["partial_disconnect", "head, body, wait(10), fin"],
  ["stream_eof", "head, body, end"],
  ["partial_eof", "head, body, end"],
  ["empty_body", "head, end"],
  ["malformed_json", "head, body, end"],
  ["malformed_event", "head, body, end"],
  ["wrong_content_type", "head, body, end"],
  ["stall", "head, stall"],
  ["slow_success", "head, wait(75), body, end"]
]

describe("the plans of the baseline for a JSON reply", () => {
  it.each(replies)("%s is: %s", (name, plan) => {
    expect(lineOf(planOf(name, { voice: mock("chat"), kind: "reply" }))).toBe(plan)
  })
})
