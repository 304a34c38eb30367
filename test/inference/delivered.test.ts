import { connect } from "node:net"
import { describe, expect, it } from "vitest"
import { ExpectationFailed, InferenceRequestMatcher, MockInferenceServer, ScriptedResponse } from "../../src/index.ts"
import { startVirtualServer } from "../../src/sim.ts"

const auxiliary = InferenceRequestMatcher.auxiliary("ChatCompletions")
const request = {
  method: "POST",
  target: "/v1/chat/completions",
  headers: [["content-type", "application/json"]],
  body: "{}"
} as const

describe("an answer is delivered", () => {
  it("when its reader has taken all of it, which is later than satisfied", async () => {
    const { server, http, clock } = startVirtualServer()
    const handle = server.expectResponse("turn", auxiliary, ScriptedResponse.text(200, "x".repeat(100)))
    const answer = http.connect({ windowBytes: 10 }).request(request)
    clock.settle()
    let isDelivered = false
    const wait = handle.waitDelivered().then(() => {
      isDelivered = true
    })
    await Promise.resolve()
    expect([handle.isSatisfied(), isDelivered]).toEqual([true, false])

    for (let reads = 0; reads < 3; reads++) {
      answer.read()
      clock.settle()
    }
    await wait

    expect(isDelivered).toBe(true)
  })

  it("never, when its client leaves after the end was permitted", async () => {
    const { server, http, clock } = startVirtualServer()
    const handle = server.expectResponse("turn", auxiliary, ScriptedResponse.text(200, "x".repeat(100)))
    const connection = http.connect({ windowBytes: 10 })
    connection.request(request)
    clock.settle()
    connection.disconnect()
    clock.settle()

    await handle.waitSatisfied()
    await expect(handle.waitDelivered()).rejects.toThrow("was permitted, and its client left before it had all")
  })

  it("never, when it was abandoned", async () => {
    const { server, http, clock } = startVirtualServer()
    const handle = server.expectResponseBlocked("turn", auxiliary, ScriptedResponse.text(200, "x"))
    const connection = http.connect()
    connection.request(request)
    clock.settle()
    connection.disconnect()

    await expect(handle.waitDelivered()).rejects.toThrow(ExpectationFailed)
  })

  it("on a real socket when its bytes have left, and not while the reader is stuck", async () => {
    await using server = await MockInferenceServer.start()
    const small = server.expectResponse("small", auxiliary, ScriptedResponse.text(200, "x"))
    const large = server.expectResponse(
      "large",
      auxiliary,
      ScriptedResponse.bytes(200, new Uint8Array(64 * 1024 * 1024))
    )
    const post =
      "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}"
    const socket = connect(Number(new URL(server.origin()).port), "127.0.0.1")
    socket.write(post)
    await small.waitDelivered()

    socket.pause()
    socket.write(post)
    await large.waitSatisfied()
    const wait = large.waitDelivered()
    socket.destroy()

    await expect(wait).rejects.toThrow("its client left before it had all")
  })
})
