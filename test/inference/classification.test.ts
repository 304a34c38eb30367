import { describe, expect, it } from "vitest"
import { endpointPaths, inferenceEndpoints } from "../../src/domain/endpoint.ts"
import type { Header } from "../../src/domain/request.ts"
import { InferenceRequestMatcher, ScriptedResponse } from "../../src/index.ts"
import { toolsOf, userBody } from "../support/requests.ts"
import { startWorld } from "../support/virtual-world.ts"

/** How the server classifies one request, seen by the expectation that claims it. */
const kindOf = (
  request: { readonly headers?: ReadonlyArray<Header>; readonly body?: unknown },
  endpoint: (typeof inferenceEndpoints)[number] = "ChatCompletions"
): "foreground" | "auxiliary" => {
  const { server, post } = startWorld()
  const foreground = server.expectResponse(
    "foreground",
    InferenceRequestMatcher.foreground(endpoint),
    ScriptedResponse.text(200, "f")
  )
  const auxiliary = server.expectResponse(
    "auxiliary",
    InferenceRequestMatcher.auxiliary(endpoint),
    ScriptedResponse.text(200, "a")
  )

  post(endpointPaths[endpoint], request.body ?? {}, request.headers)

  expect(foreground.isSatisfied()).not.toBe(auxiliary.isSatisfied())
  return foreground.isSatisfied() ? "foreground" : "auxiliary"
}

const twoTools = { tools: toolsOf("ChatCompletions", 2) }

describe("the kind of a request", () => {
  it("is auxiliary with a request id, foreground with a turn index, the tools' when both are empty (scenario 1)", () => {
    const title: Header = ["x-grok-req-id", "title-request"]
    const turn: Header = ["x-grok-turn-idx", "1"]
    const empty: ReadonlyArray<Header> = [
      ["x-grok-req-id", ""],
      ["x-grok-turn-idx", ""]
    ]

    expect(kindOf({ headers: [title], body: twoTools })).toBe("auxiliary")
    expect(kindOf({ headers: [title, turn], body: twoTools })).toBe("foreground")
    expect(kindOf({ headers: empty, body: twoTools })).toBe("foreground")
  })

  it.each(inferenceEndpoints)("is foreground from two tools on without headers, on %s (scenario 2)", (endpoint) => {
    const kinds = [0, 1, 2, 3].map((count) =>
      kindOf({ body: { ...userBody(endpoint, "hi"), tools: toolsOf(endpoint, count) } }, endpoint)
    )

    expect(kinds).toEqual(["auxiliary", "auxiliary", "foreground", "foreground"])
    expect(kindOf({ body: { tools: { a: 1, b: 2 } } }, endpoint)).toBe("auxiliary")
  })

  it("is foreground with turn index 0 and auxiliary with one of spaces (scenario 3)", () => {
    expect(kindOf({ headers: [["x-grok-turn-idx", "0"]] })).toBe("foreground")
    expect(kindOf({ headers: [["x-grok-turn-idx", "   "]] })).toBe("auxiliary")
  })

  it("is decided by the first of two turn indexes (scenario 4)", () => {
    const twice: ReadonlyArray<Header> = [
      ["x-grok-turn-idx", ""],
      ["x-grok-turn-idx", "1"]
    ]

    expect(kindOf({ headers: twice })).toBe("auxiliary")
  })

  it("reads header names in any case, and text that is not visible ASCII as absent", () => {
    expect(kindOf({ headers: [["x-grok-turn-idx", "first"]] })).toBe("foreground")
    expect(kindOf({ headers: [["x-grok-turn-idx", "\t7\t"]] })).toBe("foreground")
    expect(kindOf({ headers: [["x-grok-turn-idx", "é"]] })).toBe("auxiliary")
    expect(kindOf({ headers: [["x-grok-req-id", "日本"]], body: twoTools })).toBe("foreground")
  })

  it.each([
    ["missing", {}],
    ["null", { tools: null }],
    ["an object", { tools: {} }],
    ["a string", { tools: "ab" }],
    ["empty", { tools: [] }],
    ["of one element", { tools: [1] }],
    ["nested in another member", { inner: { tools: [1, 2] } }],
    ["called functions", { functions: [1, 2] }]
  ])("is auxiliary when the list of tools is %s", (_, body) => {
    expect(kindOf({ body })).toBe("auxiliary")
  })

  it("looks at the number of tools and not at what they are", () => {
    expect(kindOf({ body: { tools: [null, null] } })).toBe("foreground")
  })

  it.each(["[1,2]", '"text"', "7", "null"])("is auxiliary when the body is %s", (body) => {
    expect(kindOf({ body })).toBe("auxiliary")
  })

  it("is auxiliary with a blank turn index, a request id and two tools", () => {
    const headers: ReadonlyArray<Header> = [
      ["x-grok-turn-idx", ""],
      ["x-grok-req-id", "r1"]
    ]

    expect(kindOf({ headers, body: twoTools })).toBe("auxiliary")
  })
})
