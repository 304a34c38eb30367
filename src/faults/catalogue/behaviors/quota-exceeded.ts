import { errorBehavior } from "../error-behavior.ts"

/** Nothing is left to pay with: no wait helps. */
export const quotaExceeded = errorBehavior({
  name: "quota_exceeded",
  summary: "429 without retry-after, insufficient quota (Messages: 402)",
  row: {
    status: 429,
    message: "mock insufficient quota",
    mock: { type: "mock_error", code: "insufficient_quota" },
    provider: { type: "insufficient_quota", code: "insufficient_quota" },
    messages: { status: 402, type: "billing_error" }
  }
})
