import { describe, expect, it } from "vitest"
import type { FaultName } from "../../../src/domain/fault-names.ts"
import { faithful, mock } from "../voices/written.ts"
import { headOf, kinds, planOf, textOf, voices } from "./planned.ts"

type Row = readonly [name: FaultName, mock: string, openAi: string, anthropic: string]

const rateLimited = ["429 mock_error rate_limit", "429 requests rate_limit_exceeded", "429 rate_limit_error"] as const

// wire-formats.md, section 2D; fault-server.md, section 9.9
const rows: ReadonlyArray<Row> = [
  ["overloaded", "529 mock_error overloaded", "529 server_error null", "529 overloaded_error"],
  ["gateway_timeout", "504 mock_error gateway_timeout", "504 server_error null", "504 timeout_error"],
  ["request_timeout", "408 mock_error request_timeout", "408 invalid_request_error null", "408 timeout_error"],
  ["conflict", "409 mock_error conflict", "409 invalid_request_error null", "409 conflict_error"],
  [
    "forbidden",
    "403 mock_error forbidden",
    "403 request_forbidden unsupported_country_region_territory",
    "403 permission_error"
  ],
  ["not_found", "404 mock_error model_not_found", "404 invalid_request_error model_not_found", "404 not_found_error"],
  ["too_large", "413 mock_error request_too_large", "413 invalid_request_error null", "413 request_too_large"],
  ["retry_after_date", ...rateLimited],
  ["retry_after_ms", ...rateLimited],
  ["retry_after_huge", ...rateLimited],
  ["retry_after_invalid", ...rateLimited],
  ["rate_limit_bare", ...rateLimited],
  ["retry_forced", "400 mock_error invalid_request", "400 invalid_request_error null", "400 invalid_request_error"],
  ["retry_forbidden", "503 mock_error service_unavailable", "503 service_unavailable null", "503 api_error"],
  ["json_error_ok", "200 mock_error server_error", "200 server_error null", "200 api_error"]
]

describe.each(rows)("%s", (name, inMock, openAi, anthropic) => {
  it("is the error of each API", () => {
    const said = (voice: (typeof voices)[number][1]) => {
      const plan = planOf(name, { voice })
      const { type, code } = JSON.parse(textOf(plan)).error
      return [headOf(plan).status, type, ...(voice.format === "messages" ? [] : [String(code)])].join(" ")
    }

    expect([said(mock("chat")), said(mock("responses")), said(mock("messages"))]).toEqual([inMock, inMock, anthropic])
    expect([said(faithful("chat")), said(faithful("responses")), said(faithful("messages"))]).toEqual([
      openAi,
      openAi,
      anthropic
    ])
  })

  it("is the same for a stream and for a JSON reply, and says that the mock made it", () => {
    for (const [, voice] of voices) {
      const [stream, reply] = kinds.map((kind) => planOf(name, { voice, kind }))

      expect(stream).toEqual(reply)
      expect(stream === undefined ? "" : textOf(stream)).toContain('"message":"mock ')
    }
  })
})

describe("the headers", () => {
  const headersOf = (name: FaultName, settings = {}, wallMs = 0) =>
    voices.map(([, voice]) => headOf(planOf(name, { voice, settings, wallMs })).headers)

  const all = (name: FaultName, header: string, settings = {}, wallMs = 0) =>
    new Set(headersOf(name, settings, wallMs).map((headers) => headers[header]))

  it("of retry_after_date say when to come back, never too early", () => {
    const wallMs = Date.UTC(2025, 0, 2, 3, 4, 5)

    expect(all("retry_after_date", "retry-after", {}, wallMs)).toEqual(new Set(["Thu, 02 Jan 2025 03:04:06 GMT"]))
    expect(all("retry_after_date", "retry-after", { retryAfterMs: 1_001 }, wallMs)).toEqual(
      new Set(["Thu, 02 Jan 2025 03:04:07 GMT"])
    )
    expect(all("retry_after_date", "retry-after", { retryAfterMs: 1 }, wallMs + 999)).toEqual(
      new Set(["Thu, 02 Jan 2025 03:04:06 GMT"])
    )
  })

  it("of the other rate limits are what they are called", () => {
    expect(all("retry_after_ms", "retry-after-ms", { retryAfterMs: 1_234 })).toEqual(new Set(["1234"]))
    expect(all("retry_after_ms", "retry-after")).toEqual(new Set([undefined]))
    expect(all("retry_after_huge", "retry-after")).toEqual(new Set(["86400"]))
    expect(all("retry_after_invalid", "retry-after")).toEqual(new Set(["soon"]))
    for (const header of ["retry-after", "retry-after-ms"]) {
      expect(all("rate_limit_bare", header)).toEqual(new Set([undefined]))
    }
  })

  it("of the two that SDKs obey say to retry, and not to", () => {
    expect(all("retry_forced", "x-should-retry")).toEqual(new Set(["true"]))
    expect(all("retry_forbidden", "x-should-retry")).toEqual(new Set(["false"]))
  })

  it("carry the request id of errors, and of nothing that has status 200", () => {
    expect(all("conflict", "x-request-id", { requestId: "req-1" })).toEqual(new Set(["req-1"]))
    expect(all("json_error_ok", "x-request-id", { requestId: "req-1" })).toEqual(new Set([undefined]))
    for (const [, voice] of voices) {
      expect(textOf(planOf("json_error_ok", { voice, settings: { requestId: "req-1" } }))).not.toContain("req-1")
    }
  })

  it("of a redirect lead to where nothing is", () => {
    for (const [, voice] of voices) {
      const plan = planOf("redirect", { voice })

      expect(headOf(plan)).toEqual({ status: 307, headers: { location: "/v1/elsewhere" } })
      expect(textOf(plan)).toBe("")
    }
  })

  it("of pages say that these are HTML", () => {
    for (const [, voice] of voices) {
      const gateway = planOf("bad_gateway", { voice })
      const page = planOf("html_page", { voice })

      expect(headOf(gateway)).toEqual({ status: 502, headers: { "content-type": "text/html" } })
      expect(headOf(page)).toEqual({ status: 200, headers: { "content-type": "text/html; charset=utf-8" } })
      expect(textOf(gateway)).toContain("502 Bad Gateway")
      expect(textOf(page)).toMatch(/^<!DOCTYPE html>/)
    }
  })
})
