import { errorBehavior } from "../error-behavior.ts"

/** The request is in conflict with another. */
export const conflict = errorBehavior({
  name: "conflict",
  summary: "409",
  row: {
    status: 409,
    message: "mock conflict",
    mock: { type: "mock_error", code: "conflict" },
    messages: { status: 409, type: "conflict_error" }
  }
})
