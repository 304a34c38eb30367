import { errorBehavior } from "../error-behavior.ts"

/** The provider gave up the request. */
export const requestTimeout = errorBehavior({
  name: "request_timeout",
  summary: "408",
  row: {
    status: 408,
    message: "mock request timeout",
    mock: { type: "mock_error", code: "request_timeout" },
    messages: { status: 408, type: "timeout_error" }
  }
})
