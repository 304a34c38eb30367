import { describe, expect, it } from "vitest"
import { InferenceRequestMatcher, ScriptedResponse } from "../../src/index.ts"
import { openRaw, rawPost, startLive } from "../support/live-world.ts"
import { stream } from "../support/scripts.ts"

const chat = InferenceRequestMatcher.auxiliary("ChatCompletions")
const chatPath = "/v1/chat/completions"

describe("a connection", () => {
  it("shows the head of a stream before its first event", async () => {
    const { server, open } = await startLive()
    const handle = server.expectResponse("turn", chat, stream("only"), { barriers: [{ at: { afterEvent: 0 } }] })
    const client = open()
    client.write(rawPost(chatPath, "{}"))

    const head = await client.read(/\r\n\r\n/)
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\ncontent-type: text\/event-stream\r\ncache-control: no-cache\r\n/)
    expect(head.endsWith("\r\n\r\n")).toBe(true)
    expect(handle.phase).toBe("Blocked")

    handle.release()
    expect(await client.read(/0\r\n\r\n$/)).toContain("data: only\n\n")
  })

  it("shows all events but the last of a blocked stream, and no status of blocked JSON", async () => {
    const { server, open } = await startLive()
    const events = server.expectResponseBlocked("stream", chat, stream("one", "two"))
    const whole = server.expectResponseBlocked("json", chat, ScriptedResponse.json(200, {}))
    const [first, second] = [open(), open()]
    first.write(rawPost(chatPath, "{}"))
    expect(await first.read(/data: one\n\n\r\n/)).not.toContain("two")
    second.write(rawPost(chatPath, "{}"))
    await whole.waitBlocked()
    expect(second.socket.bytesRead).toBe(0)

    events.release()
    whole.release()

    expect(await first.read(/0\r\n\r\n$/)).toContain("data: two\n\n")
    expect(await second.read(/\{\}$/)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })

  it("serves one request after the other, of every kind", async () => {
    const { server, open, connections } = await startLive()
    const client = open()
    client.write(rawPost(chatPath, "{}"))
    await client.read(/0\r\n\r\n$/)
    client.write("GET /v1/models HTTP/1.1\r\nhost: mock\r\n\r\n")
    await client.read(/"data":\[.*\]\}$/)
    client.write(rawPost("/nowhere", "not read"))
    await client.read(/404 Not Found\r\ncontent-length: 0\r\n/)
    client.write(rawPost(chatPath, "not JSON"))
    await client.read(/400 Bad Request/)
    client.write(rawPost(chatPath, "{}"))
    await client.read(/0\r\n\r\n$/)

    expect([server.requestCount(), connections()]).toEqual([3, 1])
  })

  it("answers pipelined requests in their order, also when a later answer is ready first", async () => {
    const { server, open } = await startLive()
    const slow = server.expectResponseBlocked("slow", chat, ScriptedResponse.text(201, "slow"))
    server.expectResponse("fast", chat, ScriptedResponse.text(202, "fast"))
    const client = open()
    client.write(`${rawPost(chatPath, "{}")}${rawPost(chatPath, "{}")}GET /v1/settings HTTP/1.1\r\nhost: mock\r\n\r\n`)
    await slow.waitBlocked()
    expect(client.socket.bytesRead).toBe(0)

    slow.release()
    const text = await client.read(/404 Not Found[\s\S]*\r\n\r\n/)

    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
    expect(statuses).toEqual(["201", "202", "404"])
    expect(server.requestCount()).toBe(3)
  })

  it("gets the head of a HEAD request alone, and goes on", async () => {
    const { open } = await startLive()
    const client = open()
    client.write("HEAD /v1/models HTTP/1.1\r\nhost: mock\r\n\r\nHEAD / HTTP/1.1\r\nhost: mock\r\n\r\n")
    const heads = await client.read(/content-length: 20\r\n[\s\S]*\r\n\r\n$/)

    expect(heads).not.toContain("{")
    expect(heads).not.toContain("understudy is ready")
    client.write("GET / HTTP/1.1\r\nhost: mock\r\n\r\n")
    expect(await client.read(/understudy is ready\n$/)).toContain("HTTP/1.1 200 OK")
  })

  it.each([204, 304])("gets no body with status %s, whatever was scripted, and goes on", async (status) => {
    const { server, open } = await startLive()
    const scripts = [stream("a", "b"), ScriptedResponse.text(200, "x"), ScriptedResponse.json(200, {})]
    for (const script of scripts) server.enqueueResponse(chatPath, { ...script, status })
    const client = open()
    client.write(scripts.map(() => rawPost(chatPath, "{}")).join(""))
    client.write("GET /v1/models HTTP/1.1\r\nhost: mock\r\n\r\n")

    const text = await client.read(/\]\}$/)

    expect(text.match(new RegExp(`HTTP/1.1 ${status}`, "g"))).toHaveLength(3)
    expect(text.split("HTTP/1.1 200")[0]).not.toMatch(/transfer-encoding|content-length|data:|\{\}/)
  })

  it.each([100, 101, 102, 103, 199])("survives a scripted status %s, which clients wait behind", async (status) => {
    const { server, open, waitConnections } = await startLive()
    const handle = server.expectResponse("early", chat, { ...stream("a"), status })
    const client = open()
    client.write(rawPost(chatPath, "{}"))
    expect(await client.read(/\r\n\r\n/)).toContain(`HTTP/1.1 ${status}`)
    await handle.waitSatisfied()

    client.leave()
    await waitConnections(0)
    expect((await fetch(server.origin())).status).toBe(200)
  })

  it("is asked to go on by a server that a client asks for permission", async () => {
    const { server, open } = await startLive()
    const client = open()
    client.write("POST /v1/messages HTTP/1.1\r\nhost: mock\r\ncontent-type: application/json\r\n")
    client.write("content-length: 2\r\nexpect: 100-continue\r\n\r\n")
    await client.read(/100 Continue\r\n\r\n/)

    client.write("{}")

    await client.read(/HTTP\/1\.1 200 OK[\s\S]*0\r\n\r\n$/)
    expect(server.requestCount()).toBe(1)
  })

  it("is upgraded to nothing: a websocket to responses gets 426", async () => {
    const { open } = await startLive()
    const client = open()
    client.write("GET /v1/responses HTTP/1.1\r\nhost: mock\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n")

    expect(await client.read(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\n/)
  })

  it("keeps duplicate headers in their order, and reads values as UTF-8", async () => {
    const { server, open } = await startLive()
    const client = open()
    const headers = ["X-Twice: 1", "x-utf8: é", "x-twice: 2", "authorization: Bearer a", "authorization: Bearer b"]
    client.write(rawPost(chatPath, "{}", headers))
    await client.read(/0\r\n\r\n$/)

    const [entry] = server.requests()
    expect(entry?.headers.slice(3)).toEqual([
      ["x-twice", "1"],
      ["x-utf8", "é"],
      ["x-twice", "2"],
      ["authorization", "Bearer a"],
      ["authorization", "Bearer b"]
    ])
    expect(entry?.authorization).toBe("Bearer a")
  })

  it("takes a thousand headers, and reads the last of them", async () => {
    const { server, open } = await startLive()
    const handle = server.expectResponse("turn", InferenceRequestMatcher.foreground("ChatCompletions"), stream("x"))
    const client = open()
    client.write(rawPost(chatPath, "{}", [...Array<string>(996).fill("a:b"), "x-grok-turn-idx: 1"]))
    await client.read(/0\r\n\r\n$/)

    expect(handle.isSatisfied()).toBe(true)
    expect(server.requests()[0]?.headers).toHaveLength(1_000)
  })

  it("is refused more headers than that, although they would fit", async () => {
    const { server, open } = await startLive()
    const handle = server.expectResponse("turn", InferenceRequestMatcher.foreground("ChatCompletions"), stream("x"))
    const client = open()
    client.write(rawPost(chatPath, "{}", [...Array<string>(997).fill("a:b"), "x-grok-turn-idx: 1"]))

    expect(await client.readToEnd()).toMatch(/^HTTP\/1\.1 431 /)
    expect([handle.phase, server.requestCount()]).toEqual(["Pending", 0])
  })

  it.each([
    ["fin", "is closed"],
    ["rst", "is reset"],
    ["halfClose", "is half closed"]
  ] as const)("with ending %s %s after the bytes, without the end of the body", async (ending, _) => {
    const { server, open } = await startLive()
    server.enqueueResponse(chatPath, { ...stream("one"), ending })
    const client = open()
    let error: string | undefined
    client.socket.on("error", ({ message }) => {
      error = message
    })
    client.write(rawPost(chatPath, "{}"))

    const text = await client.readToEnd()

    expect(text).toContain("data: one\n\n")
    expect(text).not.toContain("0\r\n\r\n")
    expect(error).toBe(ending === "rst" ? "read ECONNRESET" : undefined)
  })

  it.each(["fin", "rst", "halfClose"] as const)(
    "with ending %s shows its head also when no event follows",
    async (ending) => {
      const { server, open } = await startLive()
      server.enqueueResponse(chatPath, { ...stream(), ending })
      const client = open()
      client.write(rawPost(chatPath, "{}"))

      expect(await client.readToEnd()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\n$/)
    }
  )

  it("in a stall stays open and silent", async () => {
    const { server, open, waitTrace, connections } = await startLive()
    server.enqueueResponse(chatPath, { ...stream("one"), ending: "stall" })
    server.enqueueResponse(chatPath, ScriptedResponse.hangUp("stall"))
    const [late, never] = [open(), open()]
    late.write(rawPost(chatPath, "{}"))
    await late.read(/data: one\n\n\r\n/)
    never.write(rawPost(chatPath, "{}"))
    await waitTrace((event) => event.type === "ended" && event.outcome === "stalled", 2)

    expect([connections(), never.socket.bytesRead]).toEqual([2, 0])
    late.leave()
    never.leave()
  })
})

it("refuses connections where no server is any more", async () => {
  const { server, origin } = await startLive()
  await server.close()

  const client = openRaw(Number(new URL(origin).port))

  await expect(client.read(/./)).rejects.toThrow("the connection ended")
})
