import { describe, expect, it } from "vitest"
import { InferenceRequestMatcher, ScriptedResponse } from "../../src/index.ts"
import { rawPost, startLive } from "../support/live-world.ts"
import { stream } from "../support/scripts.ts"

const chat = InferenceRequestMatcher.auxiliary("ChatCompletions")
const chatPath = "/v1/chat/completions"
const request = rawPost(chatPath, "{}")

describe("pipelined requests", () => {
  it("are answered in order, streams and whole answers mixed, each with its own bytes", async () => {
    const { server, open } = await startLive()
    const texts = Array.from({ length: 50 }, (_, index) => `<${index}>`)
    texts.forEach((text, index) => {
      server.enqueueResponse(chatPath, index % 2 === 0 ? stream(text, "end") : ScriptedResponse.text(200, text))
    })
    const client = open()
    client.write(request.repeat(50))

    const answers = await client.read(/<49>$/)

    expect([...answers.matchAll(/<\d+>/g)].map(([text]) => text)).toEqual(texts)
  })

  it.each(["fin", "rst"] as const)(
    "behind which one is answered with %s get the answers before it whole",
    async (ending) => {
      const { server, open } = await startLive()
      const first = server.expectResponseBlocked("first", chat, stream("one", "two"))
      const second = server.expectResponse("second", chat, { ...stream("cut"), ending })
      const client = open()
      client.write(request.repeat(2))
      expect(await client.read(/data: one/)).not.toContain("cut")
      await second.waitClaims(1)
      expect(second.isSatisfied()).toBe(false)

      first.release()
      const text = await client.readToEnd()
      await second.waitSatisfied()

      expect(text).toMatch(/data: one\n\n[\s\S]*data: two\n\n\r\n0\r\n\r\nHTTP\/1\.1 200 OK[\s\S]*data: cut\n\n\r\n$/)
    }
  )

  it("wait behind one that says nothing, and are freed with it", async () => {
    const { server, open, waitConnections } = await startLive()
    server.setHang(true)
    const handle = server.expectResponse("behind", chat, stream("x"))
    const client = open()
    client.write(`GET /v1/models HTTP/1.1\r\nhost: mock\r\n\r\n${request}`)
    await handle.waitClaims(1)
    expect([client.socket.bytesRead, handle.isSatisfied()]).toEqual([0, false])

    client.leave()

    await waitConnections(0)
    expect(await server.close()).toEqual({ blocked: [] })
  })

  it("end their connection when a thousand wait for the first answer", async () => {
    const { server, open, waitConnections } = await startLive()
    server.setHang(true)
    const client = open()
    client.write("GET /v1/models HTTP/1.1\r\nhost: mock\r\n\r\n".repeat(1_001))

    await client.readToEnd()

    await waitConnections(0)
    expect(server.requestCount()).toBe(1_000)
  })

  it.each(["fin", "rst"] as const)("behind one that is cut with %s are known not to be delivered", async (ending) => {
    const { server, open } = await startLive()
    const first = server.expectResponseBlocked("first", chat, { ...stream("one", "two"), ending })
    const rest = ["second", "third"].map((name) => server.expectResponse(name, chat, ScriptedResponse.text(200, name)))
    const client = open()
    client.write(request.repeat(3))
    await Promise.all(rest.map((handle) => handle.waitClaims(1)))

    first.release()

    for (const handle of rest) await expect(handle.waitDelivered()).rejects.toThrow("(state: Abandoned)")
    expect(await client.readToEnd()).not.toContain("second")
  })

  it("whose client leaves are known not to be delivered, but for the answers that were out", async () => {
    const { server, open } = await startLive()
    const before = server.expectResponse("before", chat, ScriptedResponse.text(200, "before"))
    server.expectResponseBlocked("first", chat, stream("one", "two"))
    const second = server.expectResponse("second", chat, ScriptedResponse.text(200, "second"))
    const client = open()
    client.write(request.repeat(3))
    await client.read(/data: one/)
    await second.waitClaims(1)

    client.leave()

    await expect(second.waitDelivered()).rejects.toThrow("(state: Abandoned)")
    await before.waitDelivered()
  })
})
