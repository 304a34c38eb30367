import { errorBehavior } from "../error-behavior.ts"

/** The input is longer than the model reads. */
export const contextOverflow = errorBehavior({
  name: "context_overflow",
  summary: "400, the input exceeds the context window",
  row: {
    status: 400,
    message: "mock input exceeds the model context window",
    mock: { type: "invalid_request_error", code: "context_length_exceeded" },
    provider: { code: "context_length_exceeded", param: "messages" },
    messages: {
      status: 400,
      type: "invalid_request_error",
      message: "prompt is too long: mock input exceeds the model context window"
    }
  }
})
