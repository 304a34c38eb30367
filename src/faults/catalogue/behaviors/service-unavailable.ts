import { errorBehavior } from "../error-behavior.ts"

/** The provider is overloaded: 503, and 529 in Messages. */
export const serviceUnavailable = errorBehavior({
  name: "service_unavailable",
  summary: "503 without retry-after (Messages: 529)",
  row: {
    status: 503,
    message: "mock service unavailable",
    mock: { type: "mock_error", code: "service_unavailable" },
    messages: { status: 529, type: "overloaded_error" }
  }
})
