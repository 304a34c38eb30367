import type { FaultContext } from "../behavior.ts"
import { errorBehavior } from "../error-behavior.ts"
import { rateLimitRow } from "./rate-limit.ts"

/** Such dates know whole seconds: rounded up, so that nobody comes back too early. */
const dateOf = ({ wallMs, settings }: FaultContext): string =>
  new Date(Math.ceil((wallMs + settings.retryAfterMs) / 1_000) * 1_000).toUTCString()

/** A rate limit with the time to come back as an HTTP date. */
export const retryAfterDate = errorBehavior({
  name: "retry_after_date",
  summary: "429 with retry-after as an HTTP date",
  row: rateLimitRow,
  uses: ["retryAfterMs"],
  headers: (context) => [["retry-after", dateOf(context)]]
})
