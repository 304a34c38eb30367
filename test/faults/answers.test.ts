import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { at, headerOf, payloads, pieces, virtualFaults } from "../support/fault-world.ts"

const prefixOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16)

describe("An answer of the fault server", () => {
  it("is a stream in pieces, recorded and told once", () => {
    const { server, answer, told } = virtualFaults({
      sequence: ["success"],
      successText: "recovered",
      chunkSize: 3,
      apiKey: "mock-key"
    })

    const response = answer({ headers: [["authorization", "Bearer mock-key"]] })

    expect(response.status).toBe(200)
    expect(headerOf(response, "content-type")).toBe("text/event-stream; charset=utf-8")
    expect(pieces(response)).toEqual(["rec", "ove", "red"])
    expect(at(payloads(response).at(-1), "choices", 0, "finish_reason")).toBe("stop")
    expect(at(payloads(response).at(-1), "usage")).toEqual({ prompt_tokens: 3, completion_tokens: 9 })
    expect(response.text().endsWith("data: [DONE]\n\n")).toBe(true)
    expect(server.requests).toMatchObject([
      { attempt: 1, path: "/v1/chat/completions", chunksSent: 5, outcome: "completed" }
    ])
    expect(told).toEqual([
      {
        type: "request",
        attempt: 1,
        scriptBehavior: "success",
        behavior: "success",
        path: "/v1/chat/completions"
      },
      {
        type: "result",
        attempt: 1,
        scriptBehavior: "success",
        behavior: "success",
        outcome: "completed",
        chunksSent: 5
      }
    ])
  })

  it("does not mind an observer that throws or whose promise rejects", () => {
    for (const onEvent of [
      () => {
        throw new Error("an observer")
      },
      async () => Promise.reject(new Error("a late observer"))
    ]) {
      const { server, answer } = virtualFaults({ sequence: ["empty"], onEvent })

      const response = answer({ path: "/chat/completions" })

      expect(response.text().length).toBe(143)
      expect(server.requests).toMatchObject([{ path: "/chat/completions", outcome: "completed" }])
    }
  })

  it.each([
    ["success", 398, "16dbaec45111ba03"],
    ["max_tokens", 400, "4a5a13bf32c24bb2"],
    ["reasoning_success", 586, "ca77dccac981b79f"],
    ["tool_call_success", 463, "26875d85ddf72766"],
    ["empty", 143, "c84ed4ccbc08be47"],
    ["stream_eof", 83, "e52fb8329d55431d"],
    ["partial_eof", 334, "fd3fe2c81419a408"],
    ["malformed_json", 31, "195881544bda8665"],
    ["malformed_event", 40, "83a70bcf84a9f0d6"],
    ["empty_body", 0, "e3b0c44298fc1c14"]
  ])("of %s has the specified bytes", (behavior, bytes, prefix) => {
    const response = virtualFaults({ sequence: [behavior] }).answer()

    expect(Buffer.byteLength(response.text())).toBe(bytes)
    expect(prefixOf(response.text())).toBe(prefix)
    expect(response.ended).toBe("end")
  })

  it.each([
    ["empty_body", 0],
    ["stream_eof", 1],
    ["partial_eof", 1]
  ])("of %s ends without [DONE]", (behavior, chunksSent) => {
    const { server, answer } = virtualFaults({ sequence: [behavior], chunkSize: 100 })

    expect(answer().text()).not.toContain("[DONE]")
    expect(server.requests).toMatchObject([{ chunksSent, outcome: "completed" }])
  })

  it("says what its options say, request by request", () => {
    const { server, clock, ask } = virtualFaults({
      sequence: ["reasoning_success", "tool_call_success", "max_tokens", "slow_success", "wrong_content_type"],
      successText: "answer",
      reasoningText: "think",
      toolName: "lookup",
      toolArguments: '{"id":7}',
      chunkSize: 2,
      chunkDelayMs: 1
    })

    const answers = Array.from({ length: 5 }, () => {
      const response = ask()
      clock.advance(100)
      return response
    })

    const [reasoning, call, length, slow, json] = answers
    expect(reasoning?.text()).toContain('"reasoning_content":"th"')
    const fragments = call === undefined ? [] : payloads(call)
    expect(at(fragments[0], "choices", 0, "delta", "tool_calls", 0, "function")).toEqual({
      name: "lookup",
      arguments: '{"id'
    })
    expect(at(fragments[1], "choices", 0, "delta", "tool_calls", 0, "function", "arguments")).toBe('":7}')
    expect(call?.text()).toContain('"finish_reason":"tool_calls"')
    expect(length?.text()).toContain('"finish_reason":"length"')
    expect(slow?.text()).toContain('"finish_reason":"stop"')
    expect(json === undefined ? "" : headerOf(json, "content-type")).toBe("application/json")
    expect(server.requests.map(({ outcome }) => outcome)).toEqual(Array(5).fill("completed"))
  })

  it.each([
    ["rate_limit", 429, "mock rate limit", "mock_error", "rate_limit"],
    ["server_error", 500, "mock server error", "mock_error", "server_error"],
    ["service_unavailable", 503, "mock service unavailable", "mock_error", "service_unavailable"],
    ["auth_error", 401, "mock authentication failed", "mock_error", "invalid_api_key"],
    ["invalid_request", 400, "mock invalid request", "mock_error", "invalid_request"],
    [
      "context_overflow",
      400,
      "mock input exceeds the model context window",
      "invalid_request_error",
      "context_length_exceeded"
    ],
    ["quota_exceeded", 429, "mock insufficient quota", "mock_error", "insufficient_quota"]
  ])("of %s is an error of the API", (behavior, status, message, type, code) => {
    const response = virtualFaults({
      sequence: [behavior],
      retryAfterMs: 1_001,
      requestId: "mock-request-1"
    }).answer()

    expect(response.status).toBe(status)
    expect(response.text()).toBe(JSON.stringify({ error: { message, type, code } }))
    expect(headerOf(response, "x-request-id")).toBe("mock-request-1")
    expect(headerOf(response, "retry-after")).toBe(behavior === "rate_limit" ? "2" : undefined)
    expect(headerOf(response, "content-type")).toBe("application/json")
  })

  it.each([
    [1, "1"],
    [999, "1"],
    [1_000, "1"],
    [1_001, "2"],
    [2_147_483_647, "2147484"]
  ])("asks for %d ms as whole seconds", (retryAfterMs, seconds) => {
    expect(headerOf(virtualFaults({ sequence: ["rate_limit"], retryAfterMs }).answer(), "retry-after")).toBe(seconds)
  })

  it("has no request id when it is no error, also when one is set", () => {
    const response = virtualFaults({ sequence: ["success"], requestId: "mock-request-1" }).answer()

    expect(headerOf(response, "x-request-id")).toBeUndefined()
  })

  it("comes from an exhausted script as an error of the mock", () => {
    const { server, answer } = virtualFaults({ sequence: ["success"] })

    answer()
    const second = answer()

    expect(second.status).toBe(500)
    expect(second.text()).toBe(
      '{"error":{"message":"mock script exhausted","type":"mock_error","code":"MOCK_SCRIPT_EXHAUSTED"}}'
    )
    expect(server.requests.map(({ behavior, outcome }) => [behavior, outcome])).toEqual([
      ["success", "completed"],
      ["script_exhausted", "completed"]
    ])
    expect(server.unexpected).toEqual([server.requests[1]])
  })

  it("repeats the last entry when asked to", () => {
    const { server, answer } = virtualFaults({ sequence: ["empty"], repeatLast: true })

    answer()
    answer()

    expect(server.requests.map(({ behavior }) => behavior)).toEqual(["empty", "empty"])
  })

  it("never cuts a code point", () => {
    const response = virtualFaults({ sequence: ["success"], successText: "a😀b👨‍👩‍👧é", chunkSize: 2 }).answer()

    expect(pieces(response)).toEqual(["a😀", "b👨", "\u200d👩", "\u200d👧", "é"])
    expect(at(payloads(response).at(-1), "usage", "completion_tokens")).toBe(9)
  })

  it.each([
    [1, [25, 39, 26, 4]],
    [8, [5, 7, 4, 4]],
    [100, [3, 4, 1, 4]]
  ])("in pieces of %d code points counts its events", (chunkSize, counts) => {
    const sequence = ["success", "reasoning_success", "partial_eof", "tool_call_success"]
    const { server, answer } = virtualFaults({ sequence, chunkSize })

    for (const _ of sequence) answer()

    expect(server.requests.map(({ chunksSent }) => chunksSent)).toEqual(counts)
  })

  it.each([
    ["1", ["1", ""]],
    ["{}", ["{", "}"]],
    ['{"id":7}', ['{"id', '":7}']],
    ['"a😀b"', ['"a', '😀b"']]
  ])("cuts the arguments %s in two", (toolArguments, fragments) => {
    const response = virtualFaults({ sequence: ["tool_call_success"], toolArguments }).answer()

    const found = payloads(response)
      .slice(0, 2)
      .map((payload) => at(payload, "choices", 0, "delta", "tool_calls", 0, "function", "arguments"))
    expect(found).toEqual(fragments)
  })

  it("is JSON when no stream was asked for, as providers do it", () => {
    const { answer } = virtualFaults({ sequence: ["success"], repeatLast: true })

    for (const body of [{ model: "m", stream: false }, { model: "m" }]) {
      expect(JSON.parse(answer({ body }).text())).toEqual({
        id: expect.stringMatching(/^chatcmpl-mock-\d$/),
        object: "chat.completion",
        created: 0,
        model: "m",
        choices: [
          { index: 0, message: { role: "assistant", content: "mock response recovered" }, finish_reason: "stop" }
        ],
        usage: { prompt_tokens: 3, completion_tokens: 23, total_tokens: 26 }
      })
    }
  })

  it("is a stream whenever it can be with streaming auto or sse", () => {
    const auto = virtualFaults({ sequence: ["success"], repeatLast: true, streaming: "auto" })
    const sse = virtualFaults({ sequence: ["success"], streaming: "sse" })

    expect(headerOf(auto.answer({ body: {} }), "content-type")).toContain("event-stream")
    expect(headerOf(auto.answer({ body: { stream: false } }), "content-type")).toBe("application/json")
    expect(headerOf(sse.answer({ body: { stream: false } }), "content-type")).toContain("event-stream")
  })
})
