import { errorBehavior } from "../error-behavior.ts"

/** The key is good, and may not do this. */
export const forbidden = errorBehavior({
  name: "forbidden",
  summary: "403",
  row: {
    status: 403,
    message: "mock request forbidden",
    mock: { type: "mock_error", code: "forbidden" },
    messages: { status: 403, type: "permission_error" }
  }
})
