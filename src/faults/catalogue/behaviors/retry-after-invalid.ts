import { errorBehavior } from "../error-behavior.ts"
import { rateLimitRow } from "./rate-limit.ts"

/** A rate limit with a time to wait that is none. */
export const retryAfterInvalid = errorBehavior({
  name: "retry_after_invalid",
  summary: "429 with retry-after: soon",
  row: rateLimitRow,
  headers: () => [["retry-after", "soon"]]
})
