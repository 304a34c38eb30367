import { describe, expect, it } from "vitest"
import type { Behavior } from "../../../src/faults/catalogue/behavior.ts"
import { authError } from "../../../src/faults/catalogue/behaviors/auth-error.ts"
import { contextOverflow } from "../../../src/faults/catalogue/behaviors/context-overflow.ts"
import { invalidRequest } from "../../../src/faults/catalogue/behaviors/invalid-request.ts"
import { quotaExceeded } from "../../../src/faults/catalogue/behaviors/quota-exceeded.ts"
import { rateLimit } from "../../../src/faults/catalogue/behaviors/rate-limit.ts"
import { serverError } from "../../../src/faults/catalogue/behaviors/server-error.ts"
import { serviceUnavailable } from "../../../src/faults/catalogue/behaviors/service-unavailable.ts"
import { errorBehavior } from "../../../src/faults/catalogue/error-behavior.ts"
import { answered, formats, mock, streamed, textOf } from "./written.ts"

const exhausted = errorBehavior({
  name: "server_error",
  summary: "what an exhausted script answers",
  row: {
    status: 500,
    message: "mock script exhausted",
    mock: { type: "mock_error", code: "MOCK_SCRIPT_EXHAUSTED" },
    messages: { status: 500, type: "api_error" }
  }
})

const openAi = (message: string, code: string, type = "mock_error") =>
  `{"error":{"message":"${message}","type":"${type}","code":"${code}"}}`
const anthropic = (type: string, message: string) =>
  `{"type":"error","error":{"type":"${type}","message":"${message}"}}`

type Row = readonly [behavior: Behavior, status: number, body: string, messagesStatus: number, messagesBody: string]

// fault-server.md, sections 1.2 and 9.4.4.
const rows: ReadonlyArray<Row> = [
  [rateLimit, 429, openAi("mock rate limit", "rate_limit"), 429, anthropic("rate_limit_error", "mock rate limit")],
  [serverError, 500, openAi("mock server error", "server_error"), 500, anthropic("api_error", "mock server error")],
  [
    serviceUnavailable,
    503,
    openAi("mock service unavailable", "service_unavailable"),
    529,
    anthropic("overloaded_error", "mock service unavailable")
  ],
  [
    authError,
    401,
    openAi("mock authentication failed", "invalid_api_key"),
    401,
    anthropic("authentication_error", "mock authentication failed")
  ],
  [
    invalidRequest,
    400,
    openAi("mock invalid request", "invalid_request"),
    400,
    anthropic("invalid_request_error", "mock invalid request")
  ],
  [
    contextOverflow,
    400,
    openAi("mock input exceeds the model context window", "context_length_exceeded", "invalid_request_error"),
    400,
    anthropic("invalid_request_error", "prompt is too long: mock input exceeds the model context window")
  ],
  [
    quotaExceeded,
    429,
    openAi("mock insufficient quota", "insufficient_quota"),
    402,
    anthropic("billing_error", "mock insufficient quota")
  ],
  [
    exhausted,
    500,
    openAi("mock script exhausted", "MOCK_SCRIPT_EXHAUSTED"),
    500,
    anthropic("api_error", "mock script exhausted")
  ]
]

const json = ["content-type", "application/json"]
const wait = (behavior: Behavior) => (behavior === rateLimit ? [["retry-after", "1"]] : [])

describe("the errors of the fault server", () => {
  for (const [at, row] of rows.entries()) {
    const [behavior, status, body, messagesStatus, messagesBody] = row
    const name = at === rows.length - 1 ? "script_exhausted" : behavior.name

    it(`have the envelope of ${name} in every format, whether a stream was asked for or not`, () => {
      for (const format of formats) {
        for (const answer of [streamed(behavior, mock(format)), answered(behavior, mock(format))]) {
          expect(textOf(answer)).toBe(format === "messages" ? messagesBody : body)
          expect(answer.head).toEqual({
            status: format === "messages" ? messagesStatus : status,
            headers: [json, ...wait(behavior)]
          })
        }
      }
    })

    it(`carry the request id of ${name} where the format has it`, () => {
      for (const format of formats) {
        const answer = streamed(behavior, mock(format), { requestId: "req-7" })
        const isMessages = format === "messages"

        expect(textOf(answer)).toBe(isMessages ? `${messagesBody.slice(0, -1)},"request_id":"req-7"}` : body)
        expect(answer.head?.headers).toEqual([
          json,
          ...wait(behavior),
          ["x-request-id", "req-7"],
          ...(isMessages ? [["request-id", "req-7"]] : [])
        ])
      }
    })
  }
})
