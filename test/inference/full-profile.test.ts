import { describe, expect, it } from "vitest"
import { endpointPaths, inferenceEndpoints } from "../../src/domain/endpoint.ts"
import { InferenceRequestMatcher, MockModelEntry, ScriptedResponse } from "../../src/index.ts"
import { startVirtualServer } from "../../src/sim.ts"
import { jsonRequest, userBody } from "../support/requests.ts"
import { at, chatText, payloads, responsesText, textOf } from "../support/texts.ts"
import { startWorld } from "../support/virtual-world.ts"

const fullWorld = (options: { readonly token?: string } = {}) => startWorld({ profile: "full", ...options })

/** Where the text is in a JSON reply. */
const textPaths = {
  ChatCompletions: ["choices", 0, "message", "content"],
  Responses: ["output", 0, "content", 0, "text"],
  Messages: ["content", 0, "text"]
} as const

describe.each(inferenceEndpoints)("profile full on %s", (endpoint) => {
  it("answers one JSON reply where no stream was asked for", () => {
    const world = fullWorld()
    for (const edits of [{}, { stream: false }, { stream: null }, { stream: "true" }]) {
      const call = world.post(endpointPaths[endpoint], { ...userBody(endpoint, "ping  pong"), ...edits })

      expect([call.status, call.header("content-type")]).toEqual([200, "application/json"])
      expect(at(call.json(), ...textPaths[endpoint])).toBe("Echo: ping  pong")
      expect(at(call.json(), "model")).toBe("test-model")
    }
  })

  it("streams where it was asked for, with the text as it is and the charset", () => {
    const call = fullWorld().post(endpointPaths[endpoint], { ...userBody(endpoint, "a  b\nc"), stream: true })

    expect(call.header("content-type")).toBe("text/event-stream; charset=utf-8")
    expect(textOf[endpoint](call.text())).toBe("Echo: a  b\nc")
    expect([call.header("x-request-id"), call.header("request-id")]).toEqual(["req_mock", "req_mock"])
  })

  it("answers agent turns and the fixed text in either form", () => {
    const world = fullWorld()
    world.server.setResponse("fixed")
    world.server.setAgentTurns(["turn one", "turn two"])
    const json = world.foreground(endpoint, "1", "x")
    const streamed = world.foreground(endpoint, "2", "x", { body: { stream: true } })

    expect(at(json.json(), ...textPaths[endpoint])).toBe("turn one")
    expect(textOf[endpoint](streamed.text())).toBe("turn two")
    expect(at(world.foreground(endpoint, "3", "x").json(), ...textPaths[endpoint])).toBe("fixed")
  })

  it("asks for the key in the error shape of the API, and takes it in either header", () => {
    const world = fullWorld({ token: "key" })
    const send = (headers: Readonly<Record<string, string>>) => world.foreground(endpoint, "1", "x", { headers })

    const refused = send({})
    expect(refused.status).toBe(401)
    expect(at(refused.json(), "error", "message")).toMatch(/missing API key/)
    expect(at(refused.json(), "type")).toBe(endpoint === "Messages" ? "error" : undefined)
    expect(send({ "x-api-key": "key" }).status).toBe(200)
    expect(send({ authorization: "Bearer key" }).status).toBe(200)
    expect(send({ "x-api-key": "other" }).status).toBe(401)
  })

  it("does not hold JSON replies at the completion gate", () => {
    const world = fullWorld()
    world.server.holdAgentCompletions()

    expect(world.foreground(endpoint, "1", "x").isComplete).toBe(true)
    expect(world.foreground(endpoint, "2", "x", { body: { stream: true } }).isComplete).toBe(false)
  })
})

describe("profile full", () => {
  it("is what a server has that was told nothing", () => {
    const { http } = startVirtualServer()

    const response = http.connect().request(jsonRequest(endpointPaths.ChatCompletions, {}))

    expect(at(JSON.parse(response.text()), "object")).toBe("chat.completion")
  })

  it("echoes array content on chat, and a plain string as input of responses", () => {
    const world = fullWorld()
    const chat = world.post(endpointPaths.ChatCompletions, {
      stream: true,
      messages: [{ role: "user", content: [{ type: "image_url" }, { type: "text", text: "seen" }] }]
    })
    const responses = world.post(endpointPaths.Responses, { stream: true, input: "plain" })

    expect(chatText(chat.text())).toBe("Echo: seen")
    expect(responsesText(responses.text())).toBe("Echo: plain")
  })

  it("names the events of responses and messages, and reports usage on chat where asked", () => {
    const world = fullWorld()
    const named = (endpoint: "Responses" | "Messages") =>
      world
        .foreground(endpoint, "1", "x", { body: { stream: true } })
        .events()
        .every((event) => event.event === JSON.parse(event.data).type)
    const usages = (options: object | null) =>
      payloads(
        world.foreground("ChatCompletions", "1", "x", { body: { stream: true, stream_options: options } }).text()
      )
        .map(({ usage }) => usage)
        .filter((usage) => usage !== undefined && usage !== null).length

    expect([named("Responses"), named("Messages")]).toEqual([true, true])
    expect([usages(null), usages({ include_usage: true })]).toEqual([0, 1])
  })

  it("leaves scripted answers alone", () => {
    const world = fullWorld()
    const matcher = InferenceRequestMatcher.foreground("Messages")
    world.server.expectResponse("script", matcher, ScriptedResponse.text(218, "as it is"))

    const call = world.foreground("Messages", "1", "x", { body: { stream: true } })

    expect([call.status, call.text(), call.header("content-type")]).toEqual([
      218,
      "as it is",
      "text/plain; charset=utf-8"
    ])
  })

  it("says 404 in the error shape that path or headers suggest", () => {
    const world = fullWorld()
    const shapes: ReadonlyArray<readonly [string, ReadonlyArray<readonly [string, string]>, unknown]> = [
      ["/v1/nowhere", [], undefined],
      ["/v1/nowhere", [["anthropic-version", "2023-06-01"]], "error"],
      ["/v1/nowhere", [["x-api-key", "k"]], "error"],
      ["/v1/messages/batches", [], "error"],
      ["/v1/responses/resp_1", [["x-api-key", "k"]], undefined]
    ]

    for (const [target, headers, type] of shapes) {
      const call = world.get(target, headers)
      expect([call.status, call.header("content-type"), at(call.json(), "type")]).toEqual([
        404,
        "application/json",
        type
      ])
      expect(at(call.json(), "error", "message")).toContain(`no route for GET ${target}`)
    }
    expect(world.server.requestCount()).toBe(0)
  })

  it("counts tokens as the bytes over four, rounded up, and logs the request", () => {
    const world = fullWorld()
    const counts = ["{}", "[1,2]", '"日本"', `"${"x".repeat(1_998)}"`].map((body) =>
      world.post("/v1/messages/count_tokens", body).json()
    )

    expect(counts).toEqual([1, 2, 2, 500].map((input_tokens) => ({ input_tokens })))
    expect(world.server.requests()[0]?.path).toBe("/v1/messages/count_tokens")
    expect(world.server.messagesRequestCount()).toBe(0)
  })

  it("changes to compact and back while it runs", () => {
    const world = fullWorld()
    world.server.setProfile("compact")
    expect(world.auxiliary("x").header("content-type")).toBe("text/event-stream")
    world.server.setProfile("full")
    expect(world.auxiliary("x").header("content-type")).toBe("application/json")
  })
})

describe("the model list in profile full", () => {
  const world = fullWorld()
  world.server.setModels(["a", "b", "c", "d"].map((id) => MockModelEntry.new(id)))
  const page = (query: string) => {
    const list = world.get(`/v1/models${query}`).json()
    const data = at(list, "data")
    const ids = Array.isArray(data) ? data.map((model) => at(model, "id")) : []
    return [ids.join(""), at(list, "has_more"), at(list, "first_id"), at(list, "last_id")]
  }

  it("has the keys of both providers", () => {
    expect(at(world.get("/v1/models").json(), "data", 0)).toEqual({
      id: "a",
      object: "model",
      created: 1234567890,
      owned_by: "test",
      type: "model",
      display_name: "a",
      created_at: "2009-02-13T23:31:30Z"
    })
  })

  it.each([
    ["", "abcd", false],
    ["?limit=2", "ab", true],
    ["?limit=4", "abcd", false],
    ["?limit=2&after_id=b", "cd", false],
    ["?limit=1&after_id=b", "c", true],
    ["?after_id=d", "", false],
    ["?limit=2&before_id=d", "bc", true],
    ["?before_id=c", "ab", false],
    ["?limit=0", "abcd", false],
    ["?limit=many", "abcd", false]
  ])("answers %s with a page", (query, ids, hasMore) => {
    expect(page(query)).toEqual([ids, hasMore, ids.at(0) ?? null, ids.at(-1) ?? null])
  })

  it("gives one model by its id, and says which there are", () => {
    expect(at(world.get("/v1/models/c").json(), "id")).toBe("c")
    expect(world.get("/models/a").status).toBe(200)
    world.server.setModels([MockModelEntry.new("org/name")])
    expect(at(world.get("/v1/models/org%2Fname").json(), "id")).toBe("org/name")

    const unknown = world.get("/v1/models/z", [["anthropic-version", "2023-06-01"]])
    expect([unknown.status, at(unknown.json(), "type")]).toEqual([404, "error"])
    expect(at(unknown.json(), "error", "message")).toBe("no model `z`; the server has `org/name`")
  })
})
