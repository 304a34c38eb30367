import { describe, expect, it } from "vitest"
import { InferenceRequestMatcher, RequestCondition, ScriptedResponse, VerificationFailed } from "../../src/index.ts"
import { startVirtualServer } from "../../src/sim.ts"

const auxiliary = InferenceRequestMatcher.auxiliary("ChatCompletions")
const foreground = InferenceRequestMatcher.foreground("ChatCompletions")

const start = (options: Parameters<typeof startVirtualServer>[0] = {}) => {
  const world = startVirtualServer(options)
  const ask = (
    options: { readonly path?: string; readonly headers?: Record<string, string>; readonly body?: unknown } = {}
  ) => {
    const { path = "/v1/chat/completions", headers = {}, body = {} } = options
    const answer = world.http.connect().request({
      method: "POST",
      target: path,
      headers: [["content-type", "application/json"], ...Object.entries(headers)],
      body: JSON.stringify(body)
    })
    world.clock.settle()
    return answer
  }
  return { ...world, ask }
}

describe("an expectation", () => {
  it("registered n times is claimed n times, under one handle", async () => {
    const { server, ask } = start()
    const handle = server.expectResponse("hello", auxiliary, ScriptedResponse.text(210, "hi"), { times: 3 })

    const statuses = [ask(), ask()].map((answer) => answer.status)
    expect(handle.isSatisfied()).toBe(false)
    expect(() => handle.assertSatisfied()).toThrow("inference expectation `hello#3` (state: Pending)")
    const wait = Promise.all([handle.waitClaims(3), handle.waitSatisfied()])
    statuses.push(ask().status, ask().status)

    await wait
    expect(statuses).toEqual([210, 210, 210, 200])
    expect([handle.isSatisfied(), handle.claims, handle.phase]).toEqual([true, 3, "Satisfied"])
  })

  it("that cannot be registered n times is not registered at all", () => {
    const { server, ask } = start()
    server.expectResponse("hello#2", foreground, ScriptedResponse.text(210, "hi"))

    expect(() => server.expectResponse("hello", auxiliary, ScriptedResponse.text(211, ""), { times: 3 })).toThrow(
      "duplicate inference expectation name `hello#2`"
    )
    expect(() => server.expectResponse("x", auxiliary, ScriptedResponse.text(211, ""), { times: 0 })).toThrow(
      "times is 0"
    )
    expect(ask().status).toBe(200)
  })

  it("for several endpoints is claimed on any of them, once", () => {
    const { server, ask } = start()
    const matcher = InferenceRequestMatcher.auxiliary("Messages", "Responses")
    server.expectResponse("either", matcher, ScriptedResponse.text(210, ""))

    expect(ask().status).toBe(200)
    expect(ask({ path: "/v1/responses" }).status).toBe(210)
    expect(ask({ path: "/v1/messages" }).status).toBe(200)
  })

  it("with alternatives gives one of them, and the others retire", async () => {
    const { server, ask } = start()
    const handle = server.expectAny("title or turn", [
      { matcher: foreground, response: ScriptedResponse.text(211, "turn") },
      { matcher: auxiliary, response: ScriptedResponse.text(212, "title") }
    ])

    expect([ask().status, ask().status, ask({ headers: { "x-grok-turn-idx": "1" } }).status]).toEqual([212, 200, 200])
    expect(handle.members.map((member) => member.phase)).toEqual(["Retired", "Satisfied"])
    await handle.waitSatisfied()
    expect(handle.isSatisfied()).toBe(true)
    server.verify()
  })

  it("with conditions waits for a request of which all hold, and lets others pass to younger ones", () => {
    const { server, ask } = start()
    const isBig = RequestCondition.body("model is big", (body) => JSON.stringify(body).includes("big"))
    const matcher = InferenceRequestMatcher.where(auxiliary, RequestCondition.header("x-team", /^red|blue$/), isBig)
    server.expectResponse("special", matcher, ScriptedResponse.text(210, ""))
    server.expectResponse("plain", auxiliary, ScriptedResponse.text(211, ""))

    expect(ask({ headers: { "X-Team": "red" } }).status).toBe(211)
    expect(ask({ headers: { "x-team": "green" }, body: { model: "big" } }).status).toBe(200)
    expect(ask({ headers: { "x-team": "blue" }, body: { model: "big" } }).status).toBe(210)
  })
})

describe("conditions on who asks", () => {
  it("are a session and a turn, by the rules of the server", () => {
    const { server, ask } = start({ strict: true, sessions: { sessionHeader: "x-team" } })
    const matcher = InferenceRequestMatcher.where(auxiliary, RequestCondition.session("red"), RequestCondition.turn(1))
    server.expectResponse("red's first turn", matcher, ScriptedResponse.text(210, ""))
    const body = { messages: [{ role: "user", content: "hi" }] }

    expect(ask({ headers: { "x-team": "blue" }, body }).text()).toContain(
      'it wants session is \\"red\\", but session is \\"blue\\"'
    )
    expect(ask({ headers: { "x-team": "red" } }).text()).toContain("it wants turn is 1, but turn is 0")
    expect(ask({ headers: { "x-team": "red" }, body }).status).toBe(210)
  })
})

describe("a strict server", () => {
  it("refuses what nothing was scripted for, in the shape of the API, and no client tries again", () => {
    const { ask } = start({ strict: true })

    const chat = ask()
    const messages = ask({ path: "/v1/messages" })

    expect([chat.status, new Map(chat.headers).get("x-should-retry")]).toEqual([400, "false"])
    expect(JSON.parse(chat.text())).toMatchObject({ error: { type: "invalid_request_error" } })
    expect(JSON.parse(messages.text())).toMatchObject({ type: "error", error: { type: "invalid_request_error" } })
    expect(chat.text()).toContain("no expectation is pending")
  })

  it("explains a miss by the nearest expectation, field by field", () => {
    const { server, ask } = start({ strict: true })
    server.expectResponse("far", InferenceRequestMatcher.foreground("Messages"), ScriptedResponse.text(200, ""))
    const matcher = InferenceRequestMatcher.where(foreground, RequestCondition.header("x-team", "red"))
    server.expectResponse("turn", matcher, ScriptedResponse.text(200, ""))

    const headers = { "x-grok-req-id": "title-1", "x-grok-turn-idx": "", "x-team": "red" }
    const { error } = JSON.parse(ask({ headers }).text())

    expect(error.message).toBe(
      "nothing is scripted for this request: the request is ChatCompletions, auxiliary, because x-grok-req-id is set and " +
        "x-grok-turn-idx is empty; the nearest expectation (of 2 pending) is `turn`: it wants foreground, not auxiliary"
    )
    const other = { "x-grok-turn-idx": "1", "x-team": "blue" }
    expect(ask({ headers: other }).text()).toContain(
      'it wants header x-team is \\"red\\", but header x-team is \\"blue\\"'
    )
    expect(server.requests()[0]?.answer).toMatchObject({ source: "unexpected", status: 400 })
  })

  it("says when the test of a condition throws", () => {
    const { server, ask } = start({ strict: true })
    const broken = RequestCondition.request("a broken test", () => {
      throw new Error("oops")
    })
    server.expectResponse("x", InferenceRequestMatcher.where(auxiliary, broken), ScriptedResponse.text(200, ""))

    expect(ask().text()).toContain("it wants a broken test, but its test threw: oops")
  })
})

describe("verify", () => {
  it("passes where everything was met", () => {
    const { server, ask } = start({ strict: true })
    server.expectResponse("hello", auxiliary, ScriptedResponse.text(210, ""))
    server.enqueueResponse("/v1/messages", ScriptedResponse.text(211, ""))

    ask()
    ask({ path: "/v1/messages" })

    server.verify()
  })

  it("lists exactly what is left over", () => {
    const { server, ask, http, clock } = start({ strict: true })
    server.expectResponse("never", InferenceRequestMatcher.foreground("Messages"), ScriptedResponse.text(200, ""))
    const held = server.expectResponseBlocked("held", auxiliary, ScriptedResponse.text(200, ""))
    const connection = http.connect()
    const headers = [["content-type", "application/json"]] as const
    connection.request({ method: "POST", target: "/v1/chat/completions", headers, body: "{}" })
    connection.disconnect()
    clock.settle()
    server.enqueueResponse("/v1/responses", ScriptedResponse.text(200, ""))
    server.setAgentTurns(["one"])
    ask({ path: "/v1/messages" })
    server.expectResponse("taken back", auxiliary, ScriptedResponse.text(200, "")).retire()

    const failure = (() => {
      try {
        server.verify()
      } catch (error) {
        return error
      }
    })()

    expect(failure).toBeInstanceOf(VerificationFailed)
    expect(failure).toMatchObject({
      leftovers: [
        "expectation `never` (state: Pending)",
        "expectation `held` (state: Abandoned)",
        "1 queued for /v1/responses and not served",
        "1 agent turns not taken",
        expect.stringContaining("unexpected /v1/messages: the request is Messages, auxiliary")
      ]
    })
    held.release()
  })
})
