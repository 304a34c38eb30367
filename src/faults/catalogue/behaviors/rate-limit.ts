import { errorBehavior } from "../error-behavior.ts"

/** What `rate_limit` says, whatever its headers ask for. */
export const rateLimitRow = {
  status: 429,
  message: "mock rate limit",
  mock: { type: "mock_error", code: "rate_limit" },
  messages: { status: 429, type: "rate_limit_error" }
} as const

/** Too many requests, with the time to wait in whole seconds. */
export const rateLimit = errorBehavior({
  name: "rate_limit",
  summary: "429 with retry-after",
  row: rateLimitRow,
  uses: ["retryAfterMs"],
  headers: ({ settings }) => [["retry-after", String(Math.ceil(settings.retryAfterMs / 1_000))]]
})
