import { describe, expect, it } from "vitest"
import { endpointPaths, inferenceEndpoints } from "../../src/domain/endpoint.ts"
import { InferenceRequestMatcher, InvalidOption, ScriptedResponse } from "../../src/index.ts"
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
