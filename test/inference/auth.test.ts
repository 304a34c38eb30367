import { describe, expect, it } from "vitest"
import { endpointPaths, inferenceEndpoints } from "../../src/domain/endpoint.ts"
import {
  InferenceRequestMatcher,
  InvalidOption,
  RequestCondition,
  ScriptedResponse,
  VerificationFailed
} from "../../src/index.ts"
import { chatText } from "../support/texts.ts"
import { startWorld } from "../support/virtual-world.ts"

const token = "secret-token"
const refused = '{"error":"missing API key; set the x-api-key header or Authorization: Bearer header"}'
const bearer = { headers: { authorization: `Bearer ${token}` } }

describe("a required token", () => {
  it("is not asked of what a queue answers, and asked again when the queue is empty (scenario 41)", () => {
    const world = startWorld({ token })
    world.server.enqueueResponse(endpointPaths.ChatCompletions, ScriptedResponse.text(200, "scripted"))

    const scripted = world.auxiliary("x")
    const bare = world.auxiliary("x")

    expect([scripted.status, scripted.text()]).toEqual([200, "scripted"])
    expect([bare.status, bare.header("content-type"), bare.text()]).toEqual([401, "application/json", refused])
    expect(world.server.requests().map(({ answer }) => [answer.source, answer.status])).toEqual([
      ["queue", 200],
      ["unauthorized", 401]
    ])
  })

  it("is not asked of what an expectation answers (scenario 42)", () => {
    const world = startWorld({ token })
    const matcher = InferenceRequestMatcher.foreground("ChatCompletions")
    const handle = world.server.expectResponse("turn", matcher, ScriptedResponse.text(218, "matched without auth"))

    const matched = world.foreground("ChatCompletions", "1", "x")
    const next = world.foreground("ChatCompletions", "2", "x")

    expect([matched.status, matched.text()]).toEqual([218, "matched without auth"])
    expect(handle.isSatisfied()).toBe(true)
    expect(next.status).toBe(401)
  })

  describe.each(["echo", "fixed"])("in %s mode (scenario 43)", (mode) => {
    const send = (headers: Readonly<Record<string, string>>, endpoint = inferenceEndpoints[0]) => {
      const world = startWorld({ token })
      if (mode === "fixed") world.server.setResponse("fixed")
      return world.foreground(endpoint ?? "ChatCompletions", "1", "x", { headers }).status
    }

    it.each(inferenceEndpoints)("passes in two spellings on %s", (endpoint) => {
      expect(send({ authorization: `Bearer ${token}` }, endpoint)).toBe(200)
      expect(send({ authorization: `bearer ${token}` }, endpoint)).toBe(200)
      expect(send({}, endpoint)).toBe(401)
    })

    it.each([
      { authorization: "BEARER secret-token" },
      { authorization: "Bearer  secret-token" },
      { authorization: "Bearer secret-token2" },
      { authorization: "Bearer secret-token " },
      { authorization: "Bearer Secret-Token" },
      { authorization: "secret-token" },
      { "x-api-key": "secret-token" }
    ])("does not pass as %o", (headers) => {
      expect(send(headers)).toBe(401)
    })
  })

  it("is read from the first of two authorization headers", () => {
    const world = startWorld({ token })
    const send = (...values: ReadonlyArray<string>) =>
      world.post(
        endpointPaths.ChatCompletions,
        {},
        values.map((value) => ["authorization", value] as const)
      ).status

    expect(send(`Bearer ${token}`, "Bearer other")).toBe(200)
    expect(send("Bearer other", `Bearer ${token}`)).toBe(401)
  })

  it("is not asked by models, settings, user and storage (scenario 43)", () => {
    const world = startWorld({ token })
    world.server.setSettings({})

    const statuses = ["/v1/models", "/v1/settings", "/v1/user"].map((path) => world.get(path).status)

    expect(statuses).toEqual([200, 200, 200])
    expect(world.send({ method: "POST", target: "/v1/storage", body: "x" }).status).toBe(200)
  })

  it("that is missing loses no agent turn (scenario 44)", () => {
    const world = startWorld({ token })
    world.server.setAgentTurns(["the turn"])

    expect(world.foreground("ChatCompletions", "1", "x").status).toBe(401)
    const call = world.foreground("ChatCompletions", "1", "x", bearer)

    expect(chatText(call.text())).toBe("the turn")
  })

  it("may be set and lifted at any time", () => {
    const world = startWorld()
    world.server.setRequiredToken(token)
    expect(world.auxiliary("x").status).toBe(401)

    world.server.setRequiredToken(null)
    expect(world.auxiliary("x").status).toBe(200)
    expect(() => world.server.setRequiredToken("")).toThrow(InvalidOption)
  })
})

describe("a strict server that requires a token", () => {
  const start = (options: Parameters<typeof startWorld>[0] = {}) => startWorld({ token, strict: true, ...options })
  const failure = (act: () => void): string => {
    try {
      act()
    } catch (error) {
      if (error instanceof VerificationFailed) return error.message
    }
    return ""
  }

  it.each(["compact", "full"] as const)(
    "expects nothing without it that it would not expect with it (%s)",
    (profile) => {
      const world = start({ profile })
      world.server.expectResponse("turn", InferenceRequestMatcher.foreground("Messages"), ScriptedResponse.empty(200))

      const answer = world.auxiliary("x")

      const [entry] = world.server.requests()
      expect([answer.status, entry?.answer.source]).toEqual([401, "unauthorized"])
      expect(entry?.answer.miss).toContain("the nearest expectation is `turn`")
      expect(answer.text()).toContain(
        "missing API key; set the x-api-key header or Authorization: Bearer header; besides,"
      )
      expect(answer.text()).toContain("nothing is scripted for this request: the request is ChatCompletions, auxiliary")
      expect(failure(() => world.server.verify())).toContain(
        "unexpected /v1/chat/completions, without a valid key: the request is ChatCompletions, auxiliary"
      )
      const decisions = world.server.traceEvents().filter((event) => event.type === "decision")
      expect(decisions).toMatchObject([{ source: "unauthorized", miss: entry?.answer.miss }])
    }
  )

  it("does not find unexpected what only lacks the key to an agent turn", () => {
    const world = start()
    world.server.setAgentTurns(["the turn"])

    expect(world.foreground("ChatCompletions", "1", "x").status).toBe(401)
    expect(world.server.requests()[0]?.answer.miss).toBe(null)
    expect(failure(() => world.server.verify())).toBe("the mock server was left with:\n  1 agent turns not taken")
  })

  it("does not count a request without it as a try", () => {
    const world = start({ sessions: { sessionHeader: "x-session" } })
    world.server.setAgentTurns(["the turn"])
    const ask = (headers: Readonly<Record<string, string>>) =>
      world.foreground("ChatCompletions", "1", "x", { headers: { "x-session": "ann", ...headers } })

    expect(ask({}).status).toBe(401)
    expect(chatText(ask(bearer.headers).text())).toBe("the turn")
    expect(world.server.requests().map(({ session, attempt }) => [session, attempt])).toEqual([
      ["ann", null],
      ["ann", 1]
    ])
    expect(world.server.traceEvents().filter((event) => event.type === "conversation")).toMatchObject([
      { request: 1, session: "ann", attempt: null, retryOf: null, because: null },
      { request: 2, attempt: 1, retryOf: null }
    ])
    world.server.verify()
  })

  it("takes the try before a request without it for the last one still", () => {
    const world = start({ sessions: {} })
    const matcher = InferenceRequestMatcher.auxiliary("ChatCompletions")
    const session = { "session-id": "ann" }
    world.server.expectAttempts("turn", matcher, [ScriptedResponse.json(503, {})])
    world.auxiliary("x", { headers: session })
    expect(world.auxiliary("x", { headers: session }).status).toBe(401)

    world.server.expectResponse(
      "second",
      InferenceRequestMatcher.where(matcher, RequestCondition.attempt(2)),
      ScriptedResponse.text(210, "second")
    )

    expect(world.auxiliary("x", { headers: { ...session, ...bearer.headers } }).text()).toBe("second")
    expect(world.server.requests().map(({ attempt }) => attempt)).toEqual([1, null, 2])
  })

  it("does not count a held request that went on to be refused for want of it", async () => {
    const world = start({ sessions: {} })
    const next = world.server.next()
    world.auxiliary("x")
    const call = await next
    expect(call.attempt).toBe(1)
    call.proceed()
    world.clock.settle()

    world.server.expectResponse("x", InferenceRequestMatcher.auxiliary("ChatCompletions"), ScriptedResponse.empty(200))
    expect(world.auxiliary("x").status).toBe(200)
    expect(world.server.requests().map(({ attempt }) => attempt)).toEqual([null, 1])
  })
})
