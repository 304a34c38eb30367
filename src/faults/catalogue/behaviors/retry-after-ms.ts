import { errorBehavior } from "../error-behavior.ts"
import { rateLimitRow } from "./rate-limit.ts"

/** A rate limit with the time to wait in milliseconds, and in no other header. */
export const retryAfterMs = errorBehavior({
  name: "retry_after_ms",
  summary: "429 with retry-after-ms",
  row: rateLimitRow,
  uses: ["retryAfterMs"],
  headers: ({ settings }) => [["retry-after-ms", String(settings.retryAfterMs)]]
})
