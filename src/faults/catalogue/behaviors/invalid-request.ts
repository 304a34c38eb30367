import { errorBehavior } from "../error-behavior.ts"

/** What `invalid_request` says, whatever its headers and status. */
export const invalidRequestRow = {
  status: 400,
  message: "mock invalid request",
  mock: { type: "mock_error", code: "invalid_request" },
  messages: { status: 400, type: "invalid_request_error" }
} as const

/** The request is refused for what it says. */
export const invalidRequest = errorBehavior({
  name: "invalid_request",
  summary: "400",
  row: invalidRequestRow
})
