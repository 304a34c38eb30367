import { describe, expect, it } from "vitest"
import { InferenceRequestMatcher, RequestCondition, ScriptedResponse } from "../../src/index.ts"
import { startVirtualServer } from "../../src/sim.ts"
import { readEvents } from "../../src/wire/sse-reader.ts"

const paths = { ChatCompletions: "/v1/chat/completions", Responses: "/v1/responses", Messages: "/v1/messages" } as const

const world = (options: Parameters<typeof startVirtualServer>[0] = {}) => {
  const { server, clock, http } = startVirtualServer(options)
  const ask = (endpoint: keyof typeof paths, body: object = { stream: true }, headers: Record<string, string> = {}) => {
    const response = http.connect().request({
      method: "POST",
      target: paths[endpoint],
      headers: [["content-type", "application/json"], ...Object.entries(headers)],
      body: JSON.stringify({ model: "m", ...body })
    })
    clock.settle()
    return response
  }
  return { server, clock, ask }
}

const chat = InferenceRequestMatcher.auxiliary("ChatCompletions")
const headerOf = (response: ReturnType<ReturnType<typeof world>["ask"]>, name: string) =>
  response.headers.find(([header]) => header === name)?.[1]

describe("A fault as an answer to an expectation", () => {
  it("speaks the API that asks, with the error of its provider", () => {
    const { server, ask } = world()
    const any = InferenceRequestMatcher.auxiliary("ChatCompletions", "Responses", "Messages")
    server.expectResponse("limits", any, ScriptedResponse.fault("rate_limit", { retryAfterMs: 1_500 }), { times: 3 })

    const answers = [ask("ChatCompletions"), ask("Responses"), ask("Messages")]

    expect(answers.map(({ status }) => status)).toEqual([429, 429, 429])
    expect(answers.map((answer) => headerOf(answer, "retry-after"))).toEqual(["2", "2", "2"])
    expect(answers.map((answer) => JSON.parse(answer.text()))).toEqual([
      { error: { message: "mock rate limit", type: "requests", param: null, code: "rate_limit_exceeded" } },
      { error: { message: "mock rate limit", type: "requests", param: null, code: "rate_limit_exceeded" } },
      { type: "error", error: { type: "rate_limit_error", message: "mock rate limit" }, request_id: null }
    ])
    server.verify()
  })

  it("has the headers that the test adds; they replace its own", () => {
    const { server, ask } = world()
    const response = ScriptedResponse.fault("rate_limit", { retryAfterMs: 1_500 })
    response.headers.push(["Retry-After", "7"], ["x-should-retry", "false"])
    server.expectResponse("limited", chat, response, { times: 2 })
    response.headers.length = 0

    const answers = [ask("ChatCompletions"), ask("ChatCompletions", {})]

    expect(answers.map((answer) => answer.headers.filter(([name]) => /retry/i.test(name)))).toEqual(
      [1, 2].map(() => [
        ["retry-after", "7"],
        ["x-should-retry", "false"]
      ])
    )
  })

  it("is a stream for who asks for one, and else a reply", () => {
    const { server, ask } = world()
    server.expectResponse("a", chat, ScriptedResponse.fault("partial_eof"), { times: 2 })

    const stream = ask("ChatCompletions")
    const reply = ask("ChatCompletions", {})

    expect(headerOf(stream, "content-type")).toBe("text/event-stream; charset=utf-8")
    expect(headerOf(stream, "x-request-id")).toBe("req_mock")
    expect(stream.text()).not.toContain("[DONE]")
    expect(headerOf(reply, "content-type")).toBe("application/json")
    expect(() => JSON.parse(reply.text())).toThrow(SyntaxError)
  })

  it("lets the third attempt of a turn die after two events, once the test says so", () => {
    const { server, clock, ask } = world({ sessions: {} })
    const third = server.expectResponseBlocked(
      "third",
      InferenceRequestMatcher.where(chat, RequestCondition.attempt(3)),
      ScriptedResponse.fault("cut_at_event", { cutAfterEvents: 2, resetMode: "rst", disconnectDelayMs: 0 })
    )
    server.expectAttempts("turn", chat, [ScriptedResponse.fault("server_error"), ScriptedResponse.fault("overloaded")])
    const turn = { stream: true, messages: [{ role: "user", content: "Weather?" }] }

    expect([ask("ChatCompletions", turn).status, ask("ChatCompletions", turn).status]).toEqual([500, 529])
    const dying = ask("ChatCompletions", turn)

    expect(readEvents(dying.text())).toHaveLength(2)
    expect([dying.ended, third.phase]).toEqual([null, "Blocked"])
    third.release()
    clock.settle()
    expect([dying.ended, third.phase]).toEqual(["rst", "Satisfied"])
    server.verify()
  })

  it("waits at barriers by event, before its end and before its head", () => {
    const { server, clock, ask } = world()
    const handle = server.expectResponse("slow", chat, ScriptedResponse.fault("success"), {
      barriers: [
        { at: "head", name: "head" },
        { at: { afterEvent: 1 }, name: "first" },
        { at: "semanticEnd", name: "finish" },
        { at: "terminal", name: "last" }
      ]
    })
    const answer = ask("ChatCompletions")
    const count = (): number => readEvents(answer.text()).length
    const counts = [answer.status === null ? -1 : count()]
    for (const name of ["head", "first", "finish", "last"]) {
      handle.release(name)
      clock.settle()
      counts.push(count())
    }

    expect(counts).toEqual([-1, 1, counts[2], counts[3], counts[4]])
    expect(counts[2]).toBeLessThan(counts[3] ?? 0)
    expect(counts[3]).toBeLessThan(counts[4] ?? 0)
    expect(answer.ended).toBe("end")
  })

  it("is the same for a replay of its call", () => {
    const { server, clock, ask } = world()
    const handle = server.expectResponseBlocked("a", chat, ScriptedResponse.fault("malformed_json"))
    const id = { "x-grok-req-id": "r1" }
    const answers = [ask("ChatCompletions", { stream: true }, id), ask("ChatCompletions", { stream: true }, id)]

    handle.release()
    clock.settle()

    expect(answers.map((answer) => answer.ended)).toEqual(["end", "end"])
    expect(answers[0]?.text()).toBe(answers[1]?.text())
    expect(server.requests().map((request) => request.answer.source)).toEqual(["expectation", "replay"])
  })

  it("may stand in a queue and be given to a held call", async () => {
    const { server, clock, ask } = world()
    server.enqueueResponse("/v1/messages", ScriptedResponse.fault("context_overflow"))
    const next = server.next()
    const held = ask("ChatCompletions")
    const call = await next
    call.reply(ScriptedResponse.fault("connection_reset", { resetMode: "rst" }))
    clock.settle()

    expect(held.ended).toBe("rst")
    expect(ask("Messages").text()).toContain("prompt is too long")
    expect(() => server.enqueueResponse("/v1/settings", ScriptedResponse.fault("empty"))).toThrow("inference requests")
  })

  it.each([
    [() => ScriptedResponse.fault("rate_limits" as "rate_limit"), 'did you mean "rate_limit"?'],
    [() => ScriptedResponse.fault("stall", { chunkSize: 0 }), "chunkSize must be an integer between 1"],
    [() => ScriptedResponse.fault("stall", { chunkSise: 1 } as object), 'did you mean "chunkSize"?'],
    [() => ({ ...ScriptedResponse.fault("stall"), ending: "rst" as const }), "says itself"],
    [() => ({ ...ScriptedResponse.fault("stall"), status: 500 }), "says itself"]
  ])("is checked where it is registered (%#)", (response, words) => {
    const { server } = world()

    expect(() => server.expectResponse("a", chat, response())).toThrow(words)
    server.verify()
  })
})

describe("A request that asks for a fault by header", () => {
  const asks = (fault: string) => ({ "x-understudy-fault": fault })

  it("gets it before anything that is scripted, and consumes nothing", () => {
    const { server, ask } = world()
    const handle = server.expectResponse("a", chat, ScriptedResponse.text(210, "scripted"))

    expect(ask("ChatCompletions", {}, asks("service_unavailable")).status).toBe(503)
    expect(handle.phase).toBe("Pending")
    expect(server.requests()[0]?.answer.source).toBe("fault")
    expect(ask("ChatCompletions", {}).text()).toBe("scripted")
  })

  it("is told when there is no such fault", () => {
    const { ask } = world()

    const answer = ask("ChatCompletions", {}, asks("service_unavailible"))

    expect(answer.status).toBe(400)
    expect(answer.text()).toContain('did you mean \\"service_unavailable\\"?')
  })

  it("is not heard by a strict server, unless that was told to", () => {
    const strict = world({ strict: true })
    const both = world({ strict: true, faultHeader: true })
    const deaf = world({ faultHeader: false })

    expect(strict.ask("ChatCompletions", {}, asks("service_unavailable")).status).toBe(400)
    expect(both.ask("ChatCompletions", {}, asks("service_unavailable")).status).toBe(503)
    expect(deaf.ask("ChatCompletions", {}, asks("service_unavailable")).status).toBe(200)
  })
})
