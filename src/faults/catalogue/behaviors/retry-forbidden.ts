import { errorBehavior } from "../error-behavior.ts"

/** An error that every client retries, with the header that tells it not to. 503 in every format. */
export const retryForbidden = errorBehavior({
  name: "retry_forbidden",
  summary: "503 with x-should-retry: false",
  row: {
    status: 503,
    message: "mock service unavailable",
    mock: { type: "mock_error", code: "service_unavailable" },
    messages: { status: 503, type: "api_error" },
    headers: [["x-should-retry", "false"]]
  }
})
