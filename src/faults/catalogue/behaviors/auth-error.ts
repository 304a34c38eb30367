import { errorBehavior } from "../error-behavior.ts"

/** The key is refused. */
export const authError = errorBehavior({
  name: "auth_error",
  summary: "401",
  row: {
    status: 401,
    message: "mock authentication failed",
    mock: { type: "mock_error", code: "invalid_api_key" },
    messages: { status: 401, type: "authentication_error" }
  }
})
