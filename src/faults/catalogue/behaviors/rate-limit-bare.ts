import { errorBehavior } from "../error-behavior.ts"
import { rateLimitRow } from "./rate-limit.ts"

/** A rate limit that does not say how long to wait. */
export const rateLimitBare = errorBehavior({
  name: "rate_limit_bare",
  summary: "429 without retry-after",
  row: rateLimitRow
})
