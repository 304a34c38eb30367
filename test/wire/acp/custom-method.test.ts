import { describe, expect, it } from "vitest"
import { customCall, customMethod } from "../../../src/wire/acp/custom-method.ts"
import { errorLine, notificationLine, requestLine, resultLine } from "../../../src/wire/acp/write-line.ts"

describe("customMethod", () => {
  it("puts one underscore before a name, once", () => {
    expect(customMethod("x.ai/session/info")).toBe("_x.ai/session/info")
    expect(customMethod("_x.ai/session/info")).toBe("_x.ai/session/info")
  })
})

describe("customCall", () => {
  const expected = { method: "x.ai/leader_reconnected", params: { sessionId: "s" } }

  it.each([
    ["bare", "x.ai/leader_reconnected", { sessionId: "s" }],
    ["prefixed", "_x.ai/leader_reconnected", { sessionId: "s" }],
    ["wrapped", "_x.ai/wrapper", { method: "x.ai/leader_reconnected", params: { sessionId: "s" } }],
    ["wrapped and prefixed", "_x.ai/wrapper", { method: "_x.ai/leader_reconnected", params: { sessionId: "s" } }]
  ])("reads the %s shape", (_, method, params) => {
    expect(customCall(method, params)).toEqual(expected)
  })

  it("takes parameters that have a method, and no parameters of their own, for parameters", () => {
    expect(customCall("_x.ai/foo", { method: "m" })).toEqual({ method: "x.ai/foo", params: { method: "m" } })
  })
})

describe("lines that are written", () => {
  it("hold no member for what is undefined", () => {
    expect(requestLine(0, "initialize", undefined)).toBe('{"jsonrpc":"2.0","id":0,"method":"initialize"}')
    expect(notificationLine("session/cancel", { sessionId: "s" })).toBe(
      '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}'
    )
  })

  it("give ids back as they came", () => {
    expect(resultLine("1e2", undefined)).toBe('{"jsonrpc":"2.0","id":1e2,"result":null}')
    expect(errorLine('"\\u0041"', { code: -32601, message: "no", data: undefined })).toBe(
      '{"jsonrpc":"2.0","id":"\\u0041","error":{"code":-32601,"message":"no"}}'
    )
  })
})
