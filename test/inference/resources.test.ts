import { describe, expect, it } from "vitest"
import { InvalidScript, MockModelEntry, ScriptedResponse } from "../../src/index.ts"
import { chatText } from "../support/texts.ts"
import { startWorld, type World } from "../support/virtual-world.ts"

const put = (world: World, target: string, body: unknown, headers: ReadonlyArray<readonly [string, string]> = []) =>
  world.send({
    method: "PUT",
    target,
    headers: [["content-type", "application/json"], ...headers],
    body: JSON.stringify(body)
  })

describe("settings", () => {
  it("are absent, then what was set last, with queued answers first (scenario 55)", () => {
    const world = startWorld()
    const absent = world.get("/v1/settings")
    expect([absent.status, absent.text(), absent.header("content-type")]).toEqual([404, "", undefined])

    world.server.setSettings({ tips: ["t1"] })
    expect(world.get("/v1/settings").json()).toEqual({ tips: ["t1"] })
    world.server.presetAllowAccess()
    expect(world.get("/v1/settings").json()).toEqual({ allow_access: true })

    world.server.enqueueResponse("/v1/settings", ScriptedResponse.json(200, { allow_access: false }))
    const answers = [world.get("/v1/settings"), world.get("/v1/settings")]
    expect(answers.map((call) => call.json())).toEqual([{ allow_access: false }, { allow_access: true }])
  })

  it("may be any JSON value, null too, and are copied", () => {
    const world = startWorld()
    const value = { list: [1] }
    world.server.setSettings(value)
    value.list.push(2)
    expect(world.get("/v1/settings").json()).toEqual({ list: [1] })

    world.server.setSettings(null)
    expect([world.get("/v1/settings").status, world.get("/v1/settings").text()]).toEqual([200, "null"])
    expect(() => world.server.setSettings(undefined)).toThrow(InvalidScript)
  })

  it("know neither pacing nor gate", () => {
    const world = startWorld()
    world.server.setChunkDelay(1_000)
    world.server.holdAgentCompletions()
    world.server.enqueueResponse("/v1/settings", ScriptedResponse.sse([{ event: null, data: "x" }]))

    expect(world.get("/v1/settings").isComplete).toBe(true)
  })
})

describe("models", () => {
  it("are one test model, or those that were set, with what their builders said (scenario 56)", () => {
    const world = startWorld()
    const data = () => world.get("/v1/models").json()
    const bare = { object: "model", created: 1234567890, owned_by: "test" }
    expect(data()).toEqual({ object: "list", data: [{ id: "test-model", ...bare }] })

    const whole = MockModelEntry.withAgentType("whole", "coder")
      .withApiBackend("responses")
      .withSupportsBackendSearch(true)
      .withSupportsReasoningEffort(true)
      .withReasoningEffort("high")
      .withReasoningEfforts([{ value: "low" }, "high"])
    const plain = MockModelEntry.new("plain")
      .withSupportsBackendSearch(false)
      .withSupportsReasoningEffort(false)
      .withReasoningEfforts([])
    world.server.setModels([whole, plain])

    expect(data()).toEqual({
      object: "list",
      data: [
        {
          id: "whole",
          ...bare,
          _meta: { agentType: "coder" },
          apiBackend: "responses",
          supportsBackendSearch: true,
          supportsReasoningEffort: true,
          reasoningEffort: "high",
          reasoningEfforts: [{ value: "low" }, "high"]
        },
        { id: "plain", ...bare }
      ]
    })
    world.server.setModels([])
    expect(data()).toEqual({ object: "list", data: [] })
  })

  it("are plain data that can be read and written until they are set", () => {
    const world = startWorld()
    const entry = MockModelEntry.new("a")
    const derived = entry.withApiBackend("messages")
    expect([entry.apiBackend, derived.apiBackend, derived.id]).toEqual([null, "messages", "a"])

    derived.id = "b"
    world.server.setModels([derived])
    derived.id = "c"

    expect(world.get("/v1/models").json()).toMatchObject({ data: [{ id: "b", apiBackend: "messages" }] })
  })
})

describe("the user", () => {
  it("has two keys, and a third with a tier; its log path keeps the query (scenario 57)", () => {
    const world = startWorld()
    const user = { userId: "mock-user", email: "mock-user@test.invalid" }
    expect(world.get("/v1/user").json()).toEqual(user)

    world.server.setUserSubscriptionTier("SuperGrok")
    expect(world.get("/v1/user?include=subscription").json()).toEqual({ ...user, subscriptionTier: "SuperGrok" })
    world.server.setUserSubscriptionTier(null)
    expect(world.get("/v1/user?").json()).toEqual(user)

    const paths = world.server.requests().map(({ path }) => path)
    expect(paths).toEqual(["/v1/user", "/v1/user?include=subscription", "/v1/user"])
  })
})

describe("privacy", () => {
  it("answers the wanted value, whatever its type, and logs it (scenario 58)", () => {
    const world = startWorld()
    const path = "/v1/privacy/coding-data-retention"
    const answers = [{ codingDataRetentionOptOut: false }, { codingDataRetentionOptOut: true }].map((body) =>
      put(world, path, body).json()
    )
    expect(answers).toEqual([{ codingDataRetentionOptOut: false }, { codingDataRetentionOptOut: true }])
    expect(world.server.requests().map(({ method, path, body }) => [method, path, body])).toEqual([
      ["PUT", path, { codingDataRetentionOptOut: false }],
      ["PUT", path, { codingDataRetentionOptOut: true }]
    ])

    const others = [{}, { codingDataRetentionOptOut: "x" }, { codingDataRetentionOptOut: null }, [1], null]
    expect(others.map((body) => put(world, path, body).json())).toEqual(
      [false, "x", null, false, false].map((codingDataRetentionOptOut) => ({ codingDataRetentionOptOut }))
    )
  })
})

describe("session write-back", () => {
  it("takes both routes, and asks for the token before it logs (scenario 59)", () => {
    const world = startWorld()
    const data = world.post("/sessions/abc/data", { a: 1 })
    const session = put(world, "/sessions/abc", { b: 2 })
    expect([data, session].map((call) => [call.status, call.text(), call.header("content-length")])).toEqual([
      [200, "", "0"],
      [200, "", "0"]
    ])
    expect(world.server.requests().map(({ method, path, body }) => [method, path, body])).toEqual([
      ["POST", "/sessions/abc/data", { a: 1 }],
      ["PUT", "/sessions/abc", { b: 2 }]
    ])

    world.server.setRequiredToken("key")
    const refused = put(world, "/sessions/abc", { b: 2 })
    expect([refused.status, refused.json()]).toEqual([
      401,
      { error: "missing API key; set the x-api-key header or Authorization: Bearer header" }
    ])
    expect(world.server.requestCount()).toBe(2)
    expect(put(world, "/sessions/abc", { b: 2 }, [["authorization", "Bearer key"]]).status).toBe(200)
    expect(world.server.requestCount()).toBe(3)
  })

  it("decodes the session's id, and refuses one that is no text", () => {
    const world = startWorld()
    expect(put(world, "/sessions/a%20%C3%A9%2Fb", {}).status).toBe(200)
    expect(world.server.requests()[0]?.path).toBe("/sessions/a é/b")

    expect(put(world, "/sessions/%FF", {}).status).toBe(400)
    expect(put(world, "/sessions/%ZZ", {}).header("content-type")).toBe("text/plain; charset=utf-8")
    expect(world.server.requestCount()).toBe(1)
  })
})

describe("storage", () => {
  const upload = (world: World, bytes: number, headers: ReadonlyArray<readonly [string, string]> = []) =>
    world.send({ method: "POST", target: "/v1/storage", headers, body: new Uint8Array(bytes).fill(7) })

  it("keeps uploads up to 256 KiB, counts attempts, and stays out of the request log (scenario 60)", () => {
    const world = startWorld()
    const fits = upload(world, 262_144, [
      ["x-storage-path", "a/b"],
      ["authorization", "Bearer raw"]
    ])
    upload(world, 262_145)

    expect(fits.json()).toEqual({
      bucket: "mock-bucket",
      path: "a/b",
      size: 262_144,
      content_type: "application/octet-stream",
      generation: 1
    })
    const kept = world.server.storageUploads()
    expect(kept.map(({ path, size, body, authorization }) => [path, size, body.length, authorization])).toEqual([
      ["a/b", 262_144, 262_144, "Bearer raw"],
      ["", 262_145, 0, undefined]
    ])

    world.server.setStorageUnauthorized(true)
    const refused = upload(world, 1)
    expect([refused.status, refused.text(), refused.header("content-type")]).toEqual([
      401,
      '{"error":"Invalid or expired credentials (mock)"}',
      "text/plain; charset=utf-8"
    ])
    expect([world.server.storageRequestCount(), world.server.storageUploads().length]).toEqual([3, 2])
    expect([world.server.requestCount(), kept.length]).toEqual([0, 2])
  })

  it("keeps the newest uploads, in number and in bytes", () => {
    const many = startWorld()
    for (let n = 0; n <= 1_024; n++) upload(many, 1, [["x-storage-path", `${n}`]])
    const paths = many.server.storageUploads().map(({ path }) => path)
    expect([paths.length, paths.at(0), paths.at(-1)]).toEqual([1_024, "1", "1024"])

    const large = startWorld()
    for (let n = 0; n <= 256; n++) upload(large, 262_144, [["x-storage-path", `${n}`]])
    expect(large.server.storageUploads().map(({ path }) => path)).toHaveLength(256)
    expect(large.server.storageRequestCount()).toBe(257)
  })

  it.each([
    ["GET", "/v1/storage/exists"],
    ["POST", "/v1/storage/batch_exists"],
    ["POST", "/v1/storage/batch_upload_json"],
    ["POST", "/v1/storage/batch_upload"],
    ["GET", "/v1/storage/limits"]
  ])("answers the probe %s %s with an empty 404 (scenario 60)", (method, target) => {
    const world = startWorld()

    const call = world.send({ method, target, body: "ignored" })

    expect([call.status, call.text()]).toEqual([404, ""])
    expect([world.server.requestCount(), world.server.storageRequestCount()]).toEqual([0, 0])
  })
})

describe("hanging", () => {
  it("logs models and settings and never answers them; other routes work (scenario 61)", () => {
    const world = startWorld()
    world.server.setSettings({})
    world.server.setHang(true)
    const hung = [world.get("/v1/models"), world.get("/v1/settings")]
    expect(world.server.requestCount()).toBe(2)
    expect(chatText(world.auxiliary("hi").text())).toBe("Echo: hi")

    world.server.setHang(false)
    expect(world.get("/v1/models").status).toBe(200)
    world.clock.advance(24 * 3_600_000)
    expect(hung.map(({ status, isComplete }) => [status, isComplete])).toEqual([
      [null, false],
      [null, false]
    ])
  })

  it("takes no queued settings, and ends with the server", async () => {
    const world = startWorld()
    world.server.setHang(true)
    world.server.enqueueResponse("/v1/settings", ScriptedResponse.json(200, 1))
    const hung = world.get("/v1/settings")
    world.server.setHang(false)
    expect(world.get("/v1/settings").json()).toBe(1)

    const closing = world.server.close({ drainMs: 0 })
    world.clock.settle()
    await closing

    expect(hung.response.ended).toBe("fin")
    expect(world.http.connections()).toBe(0)
  })
})
