import { errorBehavior } from "../error-behavior.ts"
import { invalidRequestRow } from "./invalid-request.ts"

/** An error that no client retries, with the header that tells it to. */
export const retryForced = errorBehavior({
  name: "retry_forced",
  summary: "400 with x-should-retry: true",
  row: { ...invalidRequestRow, headers: [["x-should-retry", "true"]] }
})
