import { describe, expect, it } from "vitest"
import { faultBody, headerOf, virtualFaults } from "../support/fault-world.ts"

describe("The gates of the fault server", () => {
  it("refuse by method, route, key and body, in this order, and consume nothing", () => {
    const { server, answer, told } = virtualFaults({ sequence: ["success"], apiKey: "expected", streaming: "auto" })
    const key = [["authorization", "Bearer expected"]] as const

    const method = answer({ method: "GET", body: "" })
    const route = answer({ path: "/v1/other" })
    const auth = answer({ headers: [["authorization", "Bearer wrong"]] })
    const json = answer({ headers: key, body: "{" })

    expect([method.status, headerOf(method, "allow"), method.text()]).toEqual([405, "POST", ""])
    expect([route.status, headerOf(route, "content-type"), route.text()]).toEqual([404, undefined, ""])
    expect([auth.status, auth.text()]).toEqual([
      401,
      '{"error":{"message":"invalid mock bearer token","code":"invalid_api_key"}}'
    ])
    expect([json.status, json.text()]).toEqual([
      400,
      '{"error":{"message":"request body must be valid JSON","code":"invalid_json"}}'
    ])
    expect(server.requests).toEqual([])
    expect(told).toEqual([])

    expect(answer({ headers: key, body: "" }).status).toBe(200)
    expect(server.requests).toMatchObject([{ attempt: 1, body: undefined }])
  })

  it("look at the method before the route, and at the route before the key", () => {
    const { answer } = virtualFaults({ sequence: ["success"], apiKey: "k" })

    expect(answer({ method: "GET", path: "/nope" }).status).toBe(405)
    expect(answer({ method: "OPTIONS" }).status).toBe(405)
    expect(answer({ method: "HEAD" }).status).toBe(405)
    expect(answer({ path: "/v1/other" }).status).toBe(404)
  })

  it.each([["bearer k"], ["Bearer  k"], ["Bearer K"], ["Basic k"]])("refuse the authorization %s", (authorization) => {
    const { answer } = virtualFaults({ sequence: ["success"], apiKey: "k" })

    expect(answer({ headers: [["authorization", authorization]] }).status).toBe(401)
  })

  it("take the key of Messages in either header", () => {
    const { answer } = virtualFaults({ sequence: ["success"], repeatLast: true, apiKey: "k" })

    expect(answer({ path: "/v1/messages", headers: [["x-api-key", "k"]] }).status).toBe(200)
    expect(answer({ path: "/v1/messages", headers: [["authorization", "Bearer k"]] }).status).toBe(200)
    expect(answer({ headers: [["x-api-key", "k"]] }).status).toBe(401)
  })

  it.each([
    ["/any/prefix/chat/completions?x=1", "/any/prefix/chat/completions"],
    ["/a/../v1/chat/completions#f", "/v1/chat/completions"],
    ["http://elsewhere:1/v1/chat/completions", "/v1/chat/completions"]
  ])("find the route in %s", (path, recorded) => {
    const { server, answer } = virtualFaults({ sequence: ["success"], streaming: "auto" })

    expect(answer({ path, body: [1] }).status).toBe(200)
    expect(server.requests).toMatchObject([{ path: recorded, body: [1] }])
  })

  it.each(["/v1/chat/completions/", "/v1/xchat/completions", "/v1/chat%2Fcompletions", "//", "/"])(
    "find no route in %s",
    (path) => {
      const { server, answer } = virtualFaults({ sequence: ["success"] })

      const response = answer({ path })

      expect([response.status, response.text()]).toEqual([404, ""])
      expect(server.requests).toEqual([])
    }
  )

  it.each([
    ["null", null],
    ["1", 1],
    ["[1]", [1]],
    ["{}", {}]
  ])("let the body %s through", (body, value) => {
    const { server, answer } = virtualFaults({ sequence: ["success"], streaming: "auto" })

    expect(answer({ body }).status).toBe(200)
    expect(server.requests).toMatchObject([{ body: value }])
  })

  it.each([[" "], ["\ufeff{}"], ["{]"], ["undefined"]])("refuse the body %j", (body) => {
    expect(virtualFaults({ sequence: ["success"] }).answer({ body }).status).toBe(400)
  })

  it("refuse a body that is too large", () => {
    const { server, answer } = virtualFaults({ sequence: ["success"], maxBodyBytes: 10 })

    const response = answer()

    expect([response.status, response.text()]).toEqual([
      413,
      '{"error":{"message":"request body too large","code":"body_too_large"}}'
    ])
    expect(server.requests).toEqual([])
  })

  it("speak the format of the route, and mark failures of the mock", () => {
    const { answer } = virtualFaults({ sequence: ["success"], apiKey: "k" })

    const messages = answer({ path: "/v1/messages" })
    const responses = answer({ path: "/v1/responses" })

    expect(JSON.parse(messages.text())).toEqual({
      type: "error",
      error: { type: "authentication_error", message: "invalid mock bearer token" }
    })
    expect(headerOf(messages, "x-mock-error")).toBe("invalid_api_key")
    expect(headerOf(responses, "x-mock-error")).toBe("invalid_api_key")
    expect(headerOf(answer(), "x-mock-error")).toBeUndefined()
    const marked = virtualFaults({ sequence: ["success"], apiKey: "k", markErrors: true })
    expect(headerOf(marked.answer(), "x-mock-error")).toBe("invalid_api_key")
  })

  it("know only the formats that were asked for", () => {
    const { answer } = virtualFaults({ sequence: ["success"], formats: ["chat"] })

    expect(answer({ path: "/v1/responses" }).status).toBe(404)
    expect(answer({ path: "/v1/messages" }).status).toBe(404)
    expect(answer().status).toBe(200)
  })

  it("tell what they refused with full telemetry, so that silent misconfiguration is seen", () => {
    const { server, answer, told } = virtualFaults({ sequence: ["success"], telemetry: "full" })

    for (const path of ["/a", "/b", "/c"]) answer({ path })

    expect(told).toEqual(
      ["/a", "/b", "/c"].map((path) => ({ type: "rejected", reason: "route", status: 404, path, t: 0 }))
    )
    expect(server.lanes()).toEqual([])
    expect(answer().status).toBe(200)
  })

  it("keep secrets out of every event, and in memory only", () => {
    const { server, answer, told } = virtualFaults({
      sequence: ["success"],
      telemetry: "full",
      lanes: { by: ["bearer"] }
    })

    answer({
      headers: [
        ["authorization", "Bearer top-secret"],
        ["cookie", "a=1"],
        ["cookie", "b=2"]
      ]
    })

    expect(JSON.stringify(told)).not.toContain("top-secret")
    expect(JSON.stringify(server.traceEvents())).not.toContain("top-secret")
    expect(server.requests[0]?.headers).toMatchObject({ authorization: "Bearer top-secret", cookie: "a=1, b=2" })
  })

  it("join repeated headers, and keep set-cookie a list", () => {
    const { server, answer } = virtualFaults({ sequence: ["success"] })

    answer({
      headers: [
        ["X-A", "1"],
        ["x-a", "2"],
        ["set-cookie", "c=1"]
      ],
      body: faultBody
    })

    expect(server.requests[0]?.headers).toMatchObject({ "x-a": "1, 2", "set-cookie": ["c=1"] })
  })
})
