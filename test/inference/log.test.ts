import { describe, expect, it } from "vitest"
import type { Header } from "../../src/domain/request.ts"
import { InvalidOption } from "../../src/index.ts"
import { userBody } from "../support/requests.ts"
import { startWorld } from "../support/virtual-world.ts"

describe("the request log", () => {
  it("has an entry for each request, in order, and a summary of them (scenario 62)", () => {
    const world = startWorld()
    expect(world.server.requestLogSummary()).toBe("(no requests received)")
    world.auxiliary("first")
    world.get("/v1/models")
    world.auxiliary("second")

    expect(world.server.requestBodies()).toEqual([
      userBody("ChatCompletions", "first"),
      userBody("ChatCompletions", "second")
    ])
    expect(world.server.requestCount()).toBe(3)
    expect(world.server.requestLogSummary()).toBe(
      "  [0] POST /v1/chat/completions\n  [1] GET /v1/models\n  [2] POST /v1/chat/completions"
    )
  })

  it("keeps headers and authorization of requests with a body, and none of others (scenario 63)", () => {
    const world = startWorld()
    const headers: ReadonlyArray<Header> = [
      ["authorization", "Bearer log-me"],
      ["x-test-marker", "zap"],
      ["x-test-marker", "again"]
    ]
    world.post("/v1/chat/completions", {}, headers)
    world.get("/v1/models", headers)

    const [post, get] = world.server.requests()
    expect([post?.header("x-test-marker"), post?.header("X-Test-Marker")]).toEqual(["zap", "zap"])
    expect([post?.authorization, post?.header("authorization")]).toEqual(["Bearer log-me", "Bearer log-me"])
    expect(post?.header("x-absent")).toBeUndefined()
    expect(post?.headers).toEqual([["content-type", "application/json"], ...headers])
    expect([get?.headers, get?.authorization, get?.body]).toEqual([[], undefined, undefined])
  })

  it("has no authorization that is not plain ASCII", () => {
    const world = startWorld()
    world.post("/v1/chat/completions", {}, [["authorization", "Bearer é"]])

    const [entry] = world.server.requests()
    expect([entry?.authorization, entry?.header("authorization")]).toEqual([undefined, "Bearer é"])
  })

  it("counts requests that it is told not to keep (scenario 64)", () => {
    const world = startWorld()
    world.auxiliary("kept")
    world.server.setKeepRequests(false)
    world.auxiliary("not kept")
    expect(world.server.requestCount()).toBe(2)
    expect(world.server.requestBodies()).toEqual([userBody("ChatCompletions", "kept")])

    world.server.setKeepRequests(true)
    world.auxiliary("kept again")
    expect(world.server.requests().map(({ number }) => number)).toEqual([1, 3])
  })

  it("keeps the newest 1024 entries (scenario 65)", () => {
    const world = startWorld()
    for (let n = 1; n <= 1_025; n++) world.post("/v1/chat/completions", { n })

    const bodies = world.server.requestBodies()
    expect([world.server.requestCount(), bodies.length]).toEqual([1_025, 1_024])
    expect([bodies.at(0), bodies.at(-1)]).toEqual([{ n: 2 }, { n: 1_025 }])
    expect(world.server.requestLogSummary().split("\n")[0]).toBe("  [0] POST /v1/chat/completions")
  })

  it("knows the system prompt of the newest chat or responses request (scenario 66)", () => {
    const world = startWorld()
    const prompt = () => world.server.lastSystemPrompt()
    expect(prompt()).toBeUndefined()

    world.post("/v1/chat/completions", { messages: [{ role: "system", content: "be brief" }] })
    expect(prompt()).toBe("be brief")
    world.post("/v1/responses", { instructions: "be kind", input: [] })
    expect(prompt()).toBe("be kind")
    world.post("/v1/messages", { system: "never", messages: [{ role: "user", content: "x" }] })
    expect(prompt()).toBe("be kind")
    world.post("/v1/chat/completions", { messages: [{ role: "system", content: [{ type: "text", text: "x" }] }] })
    expect(prompt()).toBeUndefined()
  })

  it("tells the endpoints apart by their exact paths", () => {
    const world = startWorld()
    const { server } = world
    world.post("/sessions/responses/data", {})
    world.post("/sessions/chat%2Fcompletions/data", {})
    world.post("/v1/messages/count_tokens", {})
    expect([server.hasChatCompletionRequest(), server.hasResponsesRequest(), server.messagesRequestCount()]).toEqual([
      false,
      false,
      0
    ])

    for (const path of ["/v1/chat/completions", "/responses", "/v1/messages?beta=true", "/messages"])
      world.post(path, {})
    expect([server.hasChatCompletionRequest(), server.hasResponsesRequest(), server.messagesRequestCount()]).toEqual([
      true,
      true,
      2
    ])
  })

  it("gives snapshots that later requests and answers do not change", () => {
    const world = startWorld()
    world.server.setChunkDelay(100)
    const call = world.auxiliary("ping pong")
    const before = world.server.requests()

    world.clock.advance(500)
    world.auxiliary("more")

    expect(call.isComplete).toBe(true)
    expect(before).toHaveLength(1)
    expect(before[0]?.answer).toMatchObject({ events: 0, outcome: null, settled: null, text: "" })
  })

  it("shows a HEAD request as the GET that it runs", () => {
    const world = startWorld()

    const call = world.send({ method: "HEAD", target: "/v1/models" })

    expect([call.status, call.text(), call.header("content-type")]).toEqual([200, "", "application/json"])
    expect(world.server.requests().map(({ method, path }) => [method, path])).toEqual([["GET", "/v1/models"]])
  })
})

describe("the bounds of log and trace", () => {
  it("drop the oldest entries, and the oldest texts before the entries", () => {
    const world = startWorld({ logEntriesMax: 3, logBytesMax: 4_000 })
    for (const n of [1, 2, 3, 4]) world.auxiliary(`${n}`, { body: { filler: "x".repeat(1_000) } })

    const entries = world.server.requests()
    expect(entries.map(({ number }) => number)).toEqual([2, 3, 4])
    expect(entries.map(({ isTrimmed }) => isTrimmed)).toEqual([true, false, false])
    expect([entries[0]?.body, entries[0]?.answer.text]).toEqual([undefined, undefined])
    expect([entries[0]?.headers, entries[0]?.path]).toEqual([[], "/v1/chat/completions"])
    expect(entries[0]?.answer.bytes).toBeGreaterThan(0)
    expect(world.server.requestCount()).toBe(4)
  })

  it("always keep the newest request, however long, and count an answer that alone is too long", () => {
    const world = startWorld({ logBytesMax: 10 })
    world.auxiliary("a request longer than the bound")

    const [entry] = world.server.requests()
    expect(entry?.body).toEqual(userBody("ChatCompletions", "a request longer than the bound"))
    expect([entry?.isTrimmed, entry?.answer.text]).toEqual([true, undefined])
    expect(entry?.answer.bytes).toBeGreaterThan(100)
  })

  it("do not count what is not kept", () => {
    const world = startWorld({ logBytesMax: 4_000 })
    world.auxiliary("kept")
    world.server.setKeepRequests(false)
    for (let n = 0; n < 100; n++) world.auxiliary("not kept")
    world.server.setKeepRequests(true)
    world.auxiliary("kept")

    expect(world.server.requests().map(({ isTrimmed }) => isTrimmed)).toEqual([false, false])
  })

  it("hold for the trace, in entries and in bytes", () => {
    const entries = startWorld({ traceEntriesMax: 5 })
    for (let n = 0; n < 10; n++) entries.auxiliary("x")
    const kept = entries.server.traceEvents()
    expect(kept).toHaveLength(5)
    expect(kept.map(({ index }) => index - (kept[0]?.index ?? 0))).toEqual([0, 1, 2, 3, 4])

    const bytes = startWorld({ traceBytesMax: 300 })
    for (let n = 0; n < 10; n++) bytes.auxiliary("x")
    expect(bytes.server.traceEvents().length).toBeLessThanOrEqual(4)
    expect(bytes.server.traceEvents().length).toBeGreaterThan(1)
  })

  it.each([
    ["logEntriesMax", 0],
    ["logBytesMax", -1],
    ["traceEntriesMax", 0.5],
    ["traceBytesMax", Number.NaN]
  ])("are whole numbers: %s cannot be %s", (name, value) => {
    expect(() => startWorld({ [name]: value })).toThrow(InvalidOption)
    expect(() => startWorld({ [name]: value })).toThrow(`${name} is ${value}; use a whole number from`)
  })
})
