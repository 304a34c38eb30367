import { errorBehavior } from "../error-behavior.ts"

/** The provider has no room for another request: 529 in every format. */
export const overloaded = errorBehavior({
  name: "overloaded",
  summary: "529",
  row: {
    status: 529,
    message: "mock overloaded",
    mock: { type: "mock_error", code: "overloaded" },
    messages: { status: 529, type: "overloaded_error" }
  }
})
