import { errorBehavior } from "../error-behavior.ts"

/** The model of the request does not exist. */
export const notFound = errorBehavior({
  name: "not_found",
  summary: "404, the model is unknown",
  row: {
    status: 404,
    message: "mock model not found",
    mock: { type: "mock_error", code: "model_not_found" },
    provider: { code: "model_not_found", param: "model" },
    messages: { status: 404, type: "not_found_error" }
  }
})
