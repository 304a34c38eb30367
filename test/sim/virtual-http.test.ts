import { describe, expect, it } from "vitest"
import { ScriptedResponse } from "../../src/index.ts"
import { seededChoice, startVirtualServer } from "../../src/sim.ts"
import { auxiliaryRequest, foregroundRequest } from "../support/requests.ts"
import { stream } from "../support/scripts.ts"
import { chatText } from "../support/texts.ts"
import { startWorld } from "../support/virtual-world.ts"

const chatPath = "/v1/chat/completions"

describe("a virtual connection", () => {
  it("carries one request after the other", () => {
    const { http, clock } = startWorld()
    const connection = http.connect()
    const texts = ["one", "two"].map((text) => {
      const response = connection.request(auxiliaryRequest(text))
      clock.settle()
      return chatText(response.text())
    })

    expect(texts).toEqual(["Echo: one", "Echo: two"])
    expect([connection.isOpen, http.connections()]).toEqual([true, 1])
  })

  it("is busy while its request is not answered, and closed when its client has left", () => {
    const { http, server, clock } = startWorld()
    server.setChunkDelay(10)
    const connection = http.connect()
    connection.request(auxiliaryRequest("x"))
    expect(() => connection.request(auxiliaryRequest("y"))).toThrow("busy with a request")

    connection.disconnect()
    connection.disconnect()
    clock.settle()
    expect(() => connection.request(auxiliaryRequest("y"))).toThrow("closed")
    expect(http.connections()).toBe(0)
  })

  it.each(["fin", "rst"] as const)("is closed by an answer that ends with %s", (ending) => {
    const { http, server, clock } = startWorld()
    server.enqueueResponse(chatPath, { ...stream("x"), ending })
    const connection = http.connect()

    const response = connection.request(auxiliaryRequest("x"))
    clock.settle()

    expect([response.ended, response.isComplete, connection.isOpen]).toEqual([ending, false, false])
  })

  it("tells its watchers of every change, with the time of each piece", () => {
    const { http, server, clock } = startWorld()
    server.setChunkDelay(100)
    const response = http.connect().request(auxiliaryRequest(""))
    const changes: Array<number> = []
    response.watch(() => changes.push(response.pieces.length))

    clock.advance(300)

    expect(response.pieces.map(({ at }) => at)).toEqual([100, 200, 300])
    expect(new Set(changes)).toEqual(new Set([1, 2, 3]))
  })

  it("with a window feels the reader behind, and goes on when it has read", () => {
    const { http, server, clock } = startWorld()
    server.setChunkDelay(1)
    const response = http.connect({ windowBytes: 10 }).request(auxiliaryRequest("ping pong"))
    clock.advance(100)
    expect(response.pieces).toHaveLength(1)

    for (let n = 2; n <= 5; n++) {
      response.read()
      clock.advance(1)
      expect(response.pieces).toHaveLength(n)
    }
    response.read()
    clock.settle()
    expect(response.isComplete).toBe(true)
  })

  it("sends bytes as well as text, and bodies beyond the limit are refused", () => {
    const { send, server } = startWorld({ bodyBytesMax: 10 })
    const post = (body: Uint8Array) => send({ method: "POST", target: "/v1/storage", body })

    expect([post(new Uint8Array(10)).status, post(new Uint8Array(11)).status]).toEqual([200, 413])
    expect(server.storageUploads()[0]?.size).toBe(10)
  })
})

describe("a virtual server", () => {
  it("does the same twice with the same seed", () => {
    const run = (seed: number) => {
      const { server, clock, http } = startVirtualServer({ profile: "compact", choice: seededChoice(seed) })
      server.setChunkDelay(10)
      const handle = server.expectResponse("turn", { endpoint: "Messages", kind: "foreground" }, stream("a", "b", "c"))
      const responses = ["1", "1", "2"].map((id) => http.connect().request(foregroundRequest("Messages", id, "hi")))
      clock.advance(1_000)
      handle.assertSatisfied()
      return JSON.stringify([server.traceEvents(), responses.map((response) => response.pieces)])
    }

    expect(run(7)).toBe(run(7))
    expect([1, 2, 3, 4, 5].some((seed) => run(seed) !== run(7))).toBe(true)
  })

  it("is refused to nobody before it is closed, and to everybody afterwards", async () => {
    const { server, clock, http } = startVirtualServer()
    server.enqueueResponse("/v1/settings", ScriptedResponse.json(200, 1))
    const connection = http.connect()
    expect(http.connections()).toBe(1)

    const closing = server.close()
    clock.settle()
    await closing

    expect(connection.isOpen).toBe(false)
    expect(() => http.connect()).toThrow("connection refused: no virtual server listens")
  })
})
