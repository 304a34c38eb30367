import { errorBehavior } from "../error-behavior.ts"

/** What `server_error` says, whatever its headers and status. */
export const serverErrorRow = {
  status: 500,
  message: "mock server error",
  mock: { type: "mock_error", code: "server_error" },
  messages: { status: 500, type: "api_error" }
} as const

/** The provider failed. */
export const serverError = errorBehavior({
  name: "server_error",
  summary: "500",
  row: serverErrorRow
})
