import { describe, expect, it } from "vitest"
import { inferenceEndpoints } from "../../src/domain/endpoint.ts"
import { InferenceRequestMatcher, ScriptedResponse } from "../../src/index.ts"
import { jsonRequest, userBody } from "../support/requests.ts"
import { chatText } from "../support/texts.ts"
import { startWorld } from "../support/virtual-world.ts"

/** Every route that reads JSON. */
const jsonRoutes: ReadonlyArray<readonly [method: string, target: string]> = [
  ["POST", "/v1/chat/completions"],
  ["POST", "/v1/responses"],
  ["POST", "/v1/messages"],
  ["PUT", "/v1/privacy/coding-data-retention"],
  ["POST", "/sessions/abc/data"],
  ["PUT", "/sessions/abc"]
]

/** A world in which anything that is let through would claim something. */
const watchedWorld = () => {
  const world = startWorld()
  const handles = inferenceEndpoints.map((endpoint) =>
    world.server.expectResponse(endpoint, InferenceRequestMatcher.auxiliary(endpoint), ScriptedResponse.text(200, "x"))
  )
  const isUntouched = () =>
    world.server.requestCount() === 0 && handles.every(({ phase }) => phase === "Pending") && world.clock.armed() === 0
  return { ...world, isUntouched }
}

describe("a request that no handler sees", () => {
  it.each(jsonRoutes)("is refused for its content type on %s %s (scenario 67)", (method, target) => {
    const world = watchedWorld()
    const types = [undefined, "text/plain", "application/jsonp", "application/x-json", "text/json", "multipart/json"]

    const calls = types.map((type) =>
      world.send({ method, target, headers: type === undefined ? [] : [["content-type", type]], body: "{}" })
    )

    for (const call of calls) {
      expect([call.status, call.header("content-type"), call.text()]).toEqual([
        415,
        "text/plain; charset=utf-8",
        "Expected request with `Content-Type: application/json`"
      ])
    }
    expect(world.isUntouched()).toBe(true)
  })

  it.each(["application/json; charset=utf-8", "application/vnd.api+json", "APPLICATION/JSON", "application/json ;x=1"])(
    "is not refused with content type %s",
    (type) => {
      const world = startWorld()
      const headers = [["content-type", type] as const]

      expect(world.send({ method: "POST", target: "/v1/messages", headers, body: "{}" }).status).toBe(200)
    }
  )

  it.each([
    ["empty", ""],
    ["cut", '{"a":'],
    ["followed by garbage", "{} x"],
    ["no JSON", "hello"],
    ["invalid UTF-8", new Uint8Array([0x22, 0xff, 0x22])],
    ["nested deeper than 128 levels", "[".repeat(129) + "]".repeat(129)],
    ["behind a byte-order mark", "\ufeff{}"]
  ])("is refused when its body is %s (scenario 67)", (_, body) => {
    for (const [method, target] of jsonRoutes) {
      const world = watchedWorld()
      const call = world.send({ method, target, headers: [["content-type", "application/json"]], body })

      expect([call.status, call.header("content-type")]).toEqual([400, "text/plain; charset=utf-8"])
      expect(call.text()).toMatch(/^Failed to parse the request body as JSON: ./)
      expect(world.isUntouched()).toBe(true)
    }
  })

  it.each([
    ["GET", "/v1/chat/completions", "POST"],
    ["PUT", "/v1/responses", "POST"],
    ["DELETE", "/v1/messages", "POST"],
    ["POST", "/v1/models", "GET,HEAD"],
    ["POST", "/v1/settings", "GET,HEAD"],
    ["GET", "/v1/privacy/coding-data-retention", "PUT"],
    ["GET", "/sessions/abc", "PUT"],
    ["PUT", "/sessions/abc/data", "POST"],
    ["GET", "/v1/storage", "POST"]
  ])("is refused for its method: %s %s (scenario 67)", (method, target, allow) => {
    const world = watchedWorld()

    const call = world.send({ method, target })

    expect([call.status, call.header("allow"), call.text()]).toEqual([405, allow, ""])
    expect(world.isUntouched()).toBe(true)
  })

  it.each([
    "/v1/models/",
    "/v1/model",
    "/sessions//data",
    "/sessions/",
    "/sessions/a/b",
    "/v1/sessions/abc",
    "/v1/chat/completions/",
    "/V1/models",
    "/v2/responses",
    "/v1//models"
  ])("is refused for its path: %s (scenario 67)", (target) => {
    const world = watchedWorld()

    const call = world.post(target, {})

    expect([call.status, call.text(), call.header("content-type")]).toEqual([404, "", undefined])
    expect(world.isUntouched()).toBe(true)
  })

  it("is judged by path, then method, then content type, then body, then token", () => {
    const world = startWorld({ token: "key" })
    const headers = [["content-type", "text/plain"] as const]
    const status = (method: string, target: string, type: ReadonlyArray<readonly [string, string]>, body: string) =>
      world.send({ method, target, headers: type, body }).status

    expect(status("GET", "/nowhere", headers, "x")).toBe(404)
    expect(status("GET", "/sessions/abc", headers, "x")).toBe(405)
    expect(status("PUT", "/sessions/abc", headers, "x")).toBe(415)
    expect(status("PUT", "/sessions/abc", [["content-type", "application/json"]], "x")).toBe(400)
    expect(status("PUT", "/sessions/abc", [["content-type", "application/json"]], "{}")).toBe(401)
  })

  it("is in the trace, which is all that shows it", () => {
    const world = startWorld()
    world.get("/nowhere?a=1")

    expect(world.server.traceEvents()).toContainEqual(
      expect.objectContaining({ type: "refused", method: "GET", path: "/nowhere", status: 404 })
    )
  })
})

describe("a body", () => {
  it.each(jsonRoutes)("of 3 MiB is accepted on %s %s (scenario 68)", (method, target) => {
    const world = startWorld()
    const body = JSON.stringify({ filler: "x".repeat(3 * 1024 * 1024) })

    const call = world.send({ ...jsonRequest(target, body), method })

    expect(call.status).toBe(200)
    expect(call.isComplete).toBe(true)
  })

  it("may be any JSON value, 128 levels deep", () => {
    const world = startWorld()
    const bodies = ["[1]", "7", '"x"', "null", " true\n", "[".repeat(128) + "]".repeat(128)]

    expect(bodies.map((body) => world.post("/v1/messages", body).status)).toEqual(bodies.map(() => 200))
    expect(world.server.requestBodies().slice(0, 5)).toEqual([[1], 7, "x", null, true])
  })
})

describe("an inference route", () => {
  it.each([
    ["/chat/completions", "/v1/chat/completions"],
    ["/responses?stream=1", "/v1/responses"],
    ["/v1/messages?beta=true&x=%20", "/v1/messages"],
    ["http://mock.example/v1/messages?x", "/v1/messages"]
  ])("is also %s, and is logged as %s", (target, path) => {
    const world = startWorld()

    expect(world.post(target, userBody("ChatCompletions", "x")).status).toBe(200)
    expect(world.server.requests().map((entry) => entry.path)).toEqual([path])
  })

  it.each(["GET", "HEAD"])("stands beside the root, which answers %s with 200 and logs nothing", (method) => {
    const world = startWorld()

    const call = world.send({ method, target: "/" })

    expect(call.status).toBe(200)
    expect(call.text() === "").toBe(method === "HEAD")
    expect(world.server.requestCount()).toBe(0)
  })

  it.each(["/v1/responses", "/responses"])("answers an upgrade of %s with 426, which clients understand", (target) => {
    const world = watchedWorld()
    const headers: ReadonlyArray<readonly [string, string]> = [
      ["connection", "Upgrade"],
      ["upgrade", "websocket"]
    ]

    const call = world.get(target, headers)

    expect([call.status, call.header("upgrade")]).toEqual([426, "HTTP/1.1"])
    expect(world.isUntouched()).toBe(true)
  })

  it("ignores offers of another protocol", () => {
    const world = startWorld()

    expect(world.post("/v1/responses", {}, [["upgrade", "h2c"]]).status).toBe(200)
  })

  it("serves a HEAD of the model list without its bytes and with its length", () => {
    const world = startWorld()
    const whole = world.get("/v1/models")

    const head = world.send({ method: "HEAD", target: "/v1/models" })

    expect([head.status, head.text(), head.isComplete]).toEqual([200, "", true])
    expect(head.response.headers).toEqual(whole.response.headers)
  })

  it("leaves the model alone that a request only names in its path", () => {
    expect(startWorld().get("/v1/models/test-model").status).toBe(404)
    expect(chatText(startWorld().auxiliary("ok").text())).toBe("Echo: ok")
  })
})
