import { describe, expect, it } from "vitest"
import { errorBody } from "../../src/wire/errors.ts"

describe("errorBody", () => {
  it.each([
    [400, "invalid_request_error", null],
    [401, "invalid_request_error", "invalid_api_key"],
    [403, "request_forbidden", "unsupported_country_region_territory"],
    [404, "invalid_request_error", "model_not_found"],
    [409, "invalid_request_error", null],
    [422, "invalid_request_error", null],
    [429, "requests", "rate_limit_exceeded"],
    [500, "server_error", null],
    [503, "service_unavailable", null],
    [529, "server_error", null]
  ])("gives %i the OpenAI type %s and code %s", (status, type, code) => {
    const expected = { error: { message: "M", type, param: null, code } }

    expect(errorBody("ChatCompletions", status, { message: "M" })).toEqual(expected)
    expect(errorBody("Responses", status, { message: "M" })).toEqual(expected)
  })

  it.each([
    [400, "invalid_request_error"],
    [401, "authentication_error"],
    [402, "billing_error"],
    [403, "permission_error"],
    [404, "not_found_error"],
    [409, "conflict_error"],
    [413, "request_too_large"],
    [422, "invalid_request_error"],
    [429, "rate_limit_error"],
    [500, "api_error"],
    [503, "api_error"],
    [504, "timeout_error"],
    [529, "overloaded_error"]
  ])("gives %i the Anthropic type %s", (status, type) => {
    expect(errorBody("Messages", status, { message: "M" })).toEqual({
      type: "error",
      error: { type, message: "M" },
      request_id: null
    })
  })

  it("writes what was given instead of the defaults, keys in the documented order", () => {
    const openAi = errorBody("ChatCompletions", 400, { message: "M", type: "T", code: "C", param: "P" })
    const anthropic = errorBody("Messages", 429, {
      message: "M",
      type: "rate_limit_error",
      details: { error_code: "ramp_limit_exceeded" },
      requestId: "req_b"
    })

    expect(JSON.stringify(openAi)).toBe('{"error":{"message":"M","type":"T","param":"P","code":"C"}}')
    expect(JSON.stringify(anthropic)).toBe(
      '{"type":"error","error":{"type":"rate_limit_error","message":"M","details":{"error_code":"ramp_limit_exceeded"}},"request_id":"req_b"}'
    )
  })

  it("takes a code of null for no code", () => {
    expect(errorBody("Responses", 401, { message: "M", code: null })).toMatchObject({ error: { code: null } })
  })
})
