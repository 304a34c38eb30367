import { errorBehavior } from "../error-behavior.ts"
import { rateLimitRow } from "./rate-limit.ts"

/** A rate limit that asks for a day. */
export const retryAfterHuge = errorBehavior({
  name: "retry_after_huge",
  summary: "429 with retry-after: 86400",
  row: rateLimitRow,
  headers: () => [["retry-after", "86400"]]
})
