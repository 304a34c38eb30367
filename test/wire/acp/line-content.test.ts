import { describe, expect, it } from "vitest"
import { lineContent } from "../../../src/wire/acp/line-content.ts"

describe("lineContent", () => {
  it.each([
    ["", "blank"],
    [" \t", "blank"],
    ["npm warn foo", "pollution"],
    ["7", "pollution"],
    ["null", "pollution"],
    ['[{"id":1}]', "batch"],
    ["{}", "stray"],
    ['{"method":7}', "stray"],
    ['{"jsonrpc":"2.0","method":"session/update","params":{}}', "notification"],
    ['{"jsonrpc":"2.0","id":null,"method":"fs/read_text_file"}', "request"],
    ['{"jsonrpc":"2.0","id":1,"result":null}', "response"]
  ])("of %s is %s", (line, kind) => {
    expect(lineContent(line).kind).toBe(kind)
  })

  it("tells a missing or wrong version, and understands the line", () => {
    expect(lineContent('{"id":1,"result":2}')).toEqual({
      kind: "response",
      id: 1,
      outcome: { kind: "result", result: 2 },
      faults: ['jsonrpc is missing, not "2.0"']
    })
    expect(lineContent('{"jsonrpc":2,"method":"m"}')).toMatchObject({ faults: ['jsonrpc is 2, not "2.0"'] })
  })

  it("keeps a request whose method is null a request, without a name", () => {
    expect(lineContent('{"jsonrpc":"2.0","id":"a","method":null,"result":1}')).toEqual({
      kind: "request",
      idToken: '"a"',
      method: null,
      params: undefined,
      faults: ["method is null, no string"]
    })
  })

  it.each([
    ['{"jsonrpc":"2.0","id":1}', "neither result nor error"],
    ['{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":""}}', "both result and error"],
    ['{"jsonrpc":"2.0","id":1,"error":"no"}', "no code and message"],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":"m"}}', "no code and message"]
  ])("of %s is a broken response", (line, reason) => {
    expect(lineContent(line)).toMatchObject({ outcome: { kind: "broken", reason: expect.stringContaining(reason) } })
  })

  it("reads an error with its data", () => {
    const line = '{"jsonrpc":"2.0","id":"x","error":{"code":-32601,"message":"no","data":{"method":"m"}}}'

    expect(lineContent(line)).toMatchObject({
      outcome: { kind: "error", error: { code: -32601, message: "no", data: { method: "m" } } }
    })
  })

  it("takes an own member named __proto__ for what it is", () => {
    expect(lineContent('{"__proto__":{"id":1,"method":"m"}}').kind).toBe("stray")
  })
})
