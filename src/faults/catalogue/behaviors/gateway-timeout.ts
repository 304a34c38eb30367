import { errorBehavior } from "../error-behavior.ts"

/** The provider took too long for its own gateway. */
export const gatewayTimeout = errorBehavior({
  name: "gateway_timeout",
  summary: "504",
  row: {
    status: 504,
    message: "mock gateway timeout",
    mock: { type: "mock_error", code: "gateway_timeout" },
    messages: { status: 504, type: "timeout_error" }
  }
})
