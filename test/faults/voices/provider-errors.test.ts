import { describe, expect, it } from "vitest"
import type { Behavior } from "../../../src/faults/catalogue/behavior.ts"
import { authError } from "../../../src/faults/catalogue/behaviors/auth-error.ts"
import { contextOverflow } from "../../../src/faults/catalogue/behaviors/context-overflow.ts"
import { invalidRequest } from "../../../src/faults/catalogue/behaviors/invalid-request.ts"
import { quotaExceeded } from "../../../src/faults/catalogue/behaviors/quota-exceeded.ts"
import { rateLimit } from "../../../src/faults/catalogue/behaviors/rate-limit.ts"
import { serverError } from "../../../src/faults/catalogue/behaviors/server-error.ts"
import { serviceUnavailable } from "../../../src/faults/catalogue/behaviors/service-unavailable.ts"
import { faithful, formats, streamed, textOf } from "./written.ts"

type OpenAi = readonly [status: number, message: string, type: string, param: string | null, code: string | null]
type Anthropic = readonly [status: number, type: string, message: string]

// wire-formats.md, section 2D.
const rows: ReadonlyArray<readonly [Behavior, OpenAi, Anthropic]> = [
  [
    rateLimit,
    [429, "mock rate limit", "requests", null, "rate_limit_exceeded"],
    [429, "rate_limit_error", "mock rate limit"]
  ],
  [
    quotaExceeded,
    [429, "mock insufficient quota", "insufficient_quota", null, "insufficient_quota"],
    [402, "billing_error", "mock insufficient quota"]
  ],
  [serverError, [500, "mock server error", "server_error", null, null], [500, "api_error", "mock server error"]],
  [
    serviceUnavailable,
    [503, "mock service unavailable", "service_unavailable", null, null],
    [529, "overloaded_error", "mock service unavailable"]
  ],
  [
    authError,
    [401, "mock authentication failed", "invalid_request_error", null, "invalid_api_key"],
    [401, "authentication_error", "mock authentication failed"]
  ],
  [
    invalidRequest,
    [400, "mock invalid request", "invalid_request_error", null, null],
    [400, "invalid_request_error", "mock invalid request"]
  ],
  [
    contextOverflow,
    [
      400,
      "mock input exceeds the model context window",
      "invalid_request_error",
      "messages",
      "context_length_exceeded"
    ],
    [400, "invalid_request_error", "prompt is too long: mock input exceeds the model context window"]
  ]
]

const bodyOf = ([, message, type, param, code]: OpenAi) => JSON.stringify({ error: { message, type, param, code } })
const messagesBodyOf = ([, type, message]: Anthropic, id: string | null) =>
  JSON.stringify({ type: "error", error: { type, message }, request_id: id })

describe("the errors of a provider", () => {
  for (const [behavior, openAi, anthropic] of rows) {
    for (const requestId of [null, "req-7"]) {
      it(`have its envelope for ${behavior.name} ${requestId === null ? "without" : "with"} a request id`, () => {
        for (const format of formats) {
          const { head, ...answer } = streamed(behavior, faithful(format), { requestId })
          const isMessages = format === "messages"

          expect(textOf({ head, ...answer })).toBe(isMessages ? messagesBodyOf(anthropic, requestId) : bodyOf(openAi))
          expect(head).toEqual({
            status: isMessages ? anthropic[0] : openAi[0],
            headers: [
              ["content-type", "application/json"],
              ...(behavior === rateLimit ? [["retry-after", "1"]] : []),
              ...(requestId === null
                ? []
                : [
                    ["x-request-id", requestId],
                    ["request-id", requestId]
                  ])
            ]
          })
        }
      })
    }
  }
})
