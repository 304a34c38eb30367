import { errorBehavior } from "../error-behavior.ts"

/** The request is too large. */
export const tooLarge = errorBehavior({
  name: "too_large",
  summary: "413",
  row: {
    status: 413,
    message: "mock request too large",
    mock: { type: "mock_error", code: "request_too_large" },
    messages: { status: 413, type: "request_too_large" }
  }
})
