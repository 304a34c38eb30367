import { describe, expect, it } from "vitest"
import { endpointPaths, inferenceEndpoints } from "../../src/domain/endpoint.ts"
import { InferenceRequestMatcher, MockInferenceServer, MockModelEntry, ScriptedResponse } from "../../src/index.ts"
import { toolsOf, userBody } from "../support/requests.ts"
import { scriptKinds, stream } from "../support/scripts.ts"
import { at, textOf } from "../support/texts.ts"

const post = (url: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body)
  })

/** Where the text is in a JSON reply. */
const textPaths = {
  ChatCompletions: ["choices", 0, "message", "content"],
  Responses: ["output", 0, "content", 0, "text"],
  Messages: ["content", 0, "text"]
} as const

describe.each(inferenceEndpoints)("over a real socket, %s", (endpoint) => {
  it("streams and answers JSON", async () => {
    await using server = await MockInferenceServer.start()
    const url = `${server.origin()}${endpointPaths[endpoint]}`

    const streamed = await post(url, { ...userBody(endpoint, "ping pong"), stream: true })
    const whole = await post(url, userBody(endpoint, "ping pong"))

    expect([streamed.status, streamed.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"])
    expect(textOf[endpoint](await streamed.text())).toBe("Echo: ping pong")
    expect(whole.headers.get("content-type")).toBe("application/json")
    expect(at(await whole.json(), ...textPaths[endpoint])).toBe("Echo: ping pong")
  })

  it.each(scriptKinds)("serves %s that stands at its barrier until it is released", async (_, script) => {
    await using server = await MockInferenceServer.start({ profile: "compact" })
    const handle = server.expectResponseBlocked("turn", InferenceRequestMatcher.foreground(endpoint), script())
    let isAnswered = false

    const answer = post(
      `${server.origin()}${endpointPaths[endpoint]}`,
      { ...userBody(endpoint, "x"), tools: toolsOf(endpoint, 2) },
      { "x-grok-req-id": "1", "x-grok-turn-idx": "1" }
    ).then(async (response) => {
      const text = await response.text()
      isAnswered = true
      return { status: response.status, text }
    })
    await handle.waitBlocked()
    expect([isAnswered, handle.isSatisfied()]).toEqual([false, false])

    handle.release()
    expect((await answer).status).toBe(200)
    expect(handle.isSatisfied()).toBe(true)
    await handle.waitSatisfied()
  })
})

describe("over a real socket", () => {
  it("each server has its own port and log", async () => {
    await using one = await MockInferenceServer.startWithModels([MockModelEntry.new("one")])
    await using two = await MockInferenceServer.startWithRequiredAuth([MockModelEntry.new("two")], "key")

    const models = await (await fetch(`${one.url()}/models`)).json()
    const refused = await post(`${two.url()}/chat/completions`, {})

    expect(at(models, "data", 0, "id")).toBe("one")
    expect(refused.status).toBe(401)
    expect(one.origin()).not.toBe(two.origin())
    expect([one.requestCount(), two.requestCount()]).toEqual([1, 1])
    expect(one.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
  })

  it("a start leaves no trace in the log", async () => {
    await using server = await MockInferenceServer.start()

    expect([server.requestCount(), server.requestLogSummary()]).toEqual([0, "(no requests received)"])
  })

  it("a port that is taken fails the start, and names the address", async () => {
    await using server = await MockInferenceServer.start()
    const { port } = new URL(server.origin())

    const second = MockInferenceServer.start({ port: Number(port) })

    await expect(second).rejects.toMatchObject({ name: "StartFailed" })
    await expect(second).rejects.toThrow(`cannot serve on 127.0.0.1:${port}: `)
    await expect(MockInferenceServer.start({ port: -1 })).rejects.toMatchObject({ name: "InvalidOption" })
  })

  it("raw bytes and texts in other scripts arrive as they are", async () => {
    await using server = await MockInferenceServer.start()
    const bytes = Uint8Array.from({ length: 256 }, (_, value) => value)
    const text = "日本😀e\u0301👩‍👩‍👧‍👦 z"
    server.enqueueResponse("/v1/responses", ScriptedResponse.bytes(200, bytes))
    server.enqueueResponse("/v1/responses", ScriptedResponse.text(200, text))
    server.enqueueResponse("/v1/responses", stream(text))

    const url = `${server.url()}/responses`
    const [raw, plain, events] = [await post(url, {}), await post(url, {}), await post(url, {})]

    expect(new Uint8Array(await raw.arrayBuffer())).toEqual(bytes)
    expect(raw.headers.get("content-type")).toBe("application/octet-stream")
    expect(await plain.text()).toBe(text)
    expect(await events.text()).toBe(`data: ${text}\n\n`)
  })

  it("a stream under a delay arrives event by event", async () => {
    await using server = await MockInferenceServer.start({ profile: "compact" })
    server.setChunkDelay(5)
    const response = await post(`${server.url()}/chat/completions`, userBody("ChatCompletions", "ping pong"))
    const pieces: Array<string> = []
    for await (const piece of response.body ?? []) pieces.push(new TextDecoder().decode(piece))

    expect(textOf.ChatCompletions(pieces.join(""))).toBe("Echo: ping pong")
    expect(pieces.length).toBeGreaterThan(1)
  })
})
