import { describe, expect, it } from "vitest"
import { startFaultServer } from "../../src/faults.ts"
import { chunksOf, faultBody, faultPost, liveFaults } from "../support/fault-world.ts"
import { connected, openRaw, rawPost } from "../support/live-world.ts"

const close = ["connection: close"]

/** What a socket ended with: an error code, or `end`. */
const endOf = async (client: ReturnType<typeof openRaw>): Promise<{ readonly text: string; readonly end: string }> => {
  let end = "end"
  client.socket.on("error", (error: NodeJS.ErrnoException) => {
    end = error.code ?? error.message
  })
  const text = await client.readToEnd()
  return { text, end }
}

describe("On the wire the fault server", () => {
  it("sends each event as one chunk", async () => {
    const { exchange } = await liveFaults({ sequence: ["success"] })

    const { chunks, isComplete } = chunksOf(await exchange(faultPost(close)))

    expect(chunks.map(({ length }) => length.toString(16))).toEqual(["55", "55", "54", "82", "e"])
    expect(isComplete).toBe(true)
  })

  it("sends not one byte before a reset", async () => {
    const { server, open } = await liveFaults({ sequence: ["connection_reset", "connection_reset:rst"] })
    const first = open()
    first.write(faultPost())
    const second = openRaw(server.port)

    expect(await endOf(first)).toEqual({ text: "", end: "end" })
    second.write(faultPost())
    expect(await endOf(second)).toEqual({ text: "", end: "ECONNRESET" })
    expect(server.requests).toMatchObject([
      { outcome: "reset", chunksSent: 0, closeMode: "fin" },
      { outcome: "reset", chunksSent: 0, closeMode: "rst" }
    ])
  })

  it.each([
    ["stream_disconnect", 0],
    ["partial_disconnect", 4]
  ])("has flushed every counted event before it drops %s, also without a delay", async (behavior, events) => {
    for (const mode of ["fin", "rst"]) {
      const { server, open } = await liveFaults({
        sequence: [`${behavior}:${mode}`],
        chunkDelayMs: 0,
        disconnectDelayMs: 0
      })
      const client = open()
      client.write(faultPost())

      const { text, end } = await endOf(client)

      expect(text.startsWith("HTTP/1.1 200 OK")).toBe(true)
      expect(chunksOf(text)).toMatchObject({ isComplete: false })
      expect(chunksOf(text).chunks).toHaveLength(events)
      expect(end).toBe(mode === "rst" ? "ECONNRESET" : "end")
      expect(server.requests).toMatchObject([{ outcome: "reset", chunksSent: events, closeMode: mode }])
    }
  })

  it("ends the connection when the client asked for that", async () => {
    const { exchange } = await liveFaults({ sequence: ["success", "rate_limit"] })

    const stream = await exchange(faultPost(close))
    const error = await exchange(faultPost(close))

    expect(stream).toContain("connection: close\r\n")
    expect(stream.endsWith("0\r\n\r\n")).toBe(true)
    expect(error).toContain("connection: close\r\n")
    expect(error).not.toContain("keep-alive")
  })

  it("tells the idle time of connections with errors, and not with streams", async () => {
    const { open } = await liveFaults({ sequence: ["success", "rate_limit"] })
    const client = open()
    client.write(faultPost())
    const stream = await client.read(/0\r\n\r\n$/)
    client.write(faultPost())
    const both = await client.read(/0\r\n\r\n[\s\S]*0\r\n\r\n$/)

    expect(stream).toContain("connection: keep-alive\r\n")
    expect(stream).not.toContain("keep-alive: ")
    expect(both.slice(stream.length)).toContain("keep-alive: timeout=5\r\n")
    expect(both).toMatch(/date: \w{3}, \d\d \w{3} \d{4} /)
    client.leave()
  })

  it("sends to HTTP/1.0 without chunks, and ends the connection", async () => {
    const { exchange } = await liveFaults({ sequence: ["success"] })

    const text = await exchange(faultPost().replace("HTTP/1.1", "HTTP/1.0"))

    const [head = "", body = ""] = text.split("\r\n\r\n")
    expect(head).not.toContain("chunked")
    expect(head).not.toContain("keep-alive")
    expect(Buffer.byteLength(body)).toBe(398)
  })

  it("answers pipelined requests in order", async () => {
    const { server, open } = await liveFaults({ sequence: ["success", "rate_limit"] })
    const client = open()
    client.write(faultPost() + faultPost(close))

    const text = await client.readToEnd()

    expect(text.indexOf("HTTP/1.1 200")).toBe(0)
    expect(text.lastIndexOf("HTTP/1.1 429")).toBeGreaterThan(0)
    expect(server.requests.map(({ behavior }) => behavior)).toEqual(["success", "rate_limit"])
  })

  it("accepts in the order of complete bodies", async () => {
    const { server, open } = await liveFaults({ sequence: ["success", "empty"] })
    const slow = open()
    const [head = "", body = ""] = faultPost(close).split("\r\n\r\n")
    slow.write(`${head}\r\n\r\n${body.slice(0, 10)}`)
    const quick = open()
    quick.write(faultPost(close))

    expect(chunksOf(await quick.readToEnd()).chunks).toHaveLength(5)
    slow.write(body.slice(10))
    expect(chunksOf(await slow.readToEnd()).chunks).toHaveLength(2)

    expect(server.requests.map(({ behavior }) => behavior)).toEqual(["success", "empty"])
  })

  it("decodes a body whose characters are split across packets", async () => {
    const { server, open } = await liveFaults({ sequence: ["success"] })
    const bytes = Buffer.from(rawPost("/v1/chat/completions", JSON.stringify({ ...faultBody, user: "✓" }), close))
    const inside = bytes.indexOf(Buffer.from("✓")) + 1
    const client = open()
    await connected(client)
    client.write(bytes.subarray(0, inside))
    await new Promise((resolve) => setImmediate(resolve))
    client.write(bytes.subarray(inside))

    await client.readToEnd()

    expect(server.requests).toMatchObject([{ body: { user: "✓" } }])
  })

  it("forgets a request whose connection goes away in mid-upload", async () => {
    const { server, open, exchange } = await liveFaults({ sequence: ["success"] })
    const client = open()
    await connected(client)
    client.write(faultPost().slice(0, -5))
    client.leave()

    await exchange(faultPost(close))

    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]?.attempt).toBe(1)
  })

  it("answers what is no HTTP with a bare 400 that consumes nothing", async () => {
    const { server, exchange } = await liveFaults({ sequence: ["success"] })

    expect(await exchange("nonsense\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /)
    expect(server.requests).toEqual([])
  })

  it("asks for the body when a client expects that", async () => {
    const { open } = await liveFaults({ sequence: ["success"] })
    const [head = "", body = ""] = faultPost(["expect: 100-continue", ...close]).split("\r\n\r\n")
    const client = open()
    client.write(`${head}\r\n\r\n`)

    await client.read(/^HTTP\/1\.1 100 Continue\r\n\r\n/)
    client.write(body)

    expect(await client.readToEnd()).toContain("HTTP/1.1 200 OK")
  })

  it("notices a client that leaves or half-closes in the middle of an answer", async () => {
    for (const leave of ["destroy", "end"] as const) {
      const results: Array<unknown> = []
      const told = new Promise<void>((resolve) => {
        startFaultServer({
          sequence: ["slow_success"],
          chunkDelayMs: 60_000,
          clock: "manual",
          onEvent(event) {
            if (event.type !== "result") return
            results.push(event.outcome)
            resolve()
          }
        }).then(async (server) => {
          const client = openRaw(server.port)
          client.write(faultPost())
          await client.read(/mock res/)
          client.socket[leave]()
          await told
          await server.close()
        })
      })
      await told

      expect(results).toEqual(["client_closed"])
    }
  })

  it("closes with streams and stalls in progress: every client sees the end, every record its outcome", async () => {
    const { server, open } = await liveFaults({
      sequence: ["slow_success", "stall"],
      chunkDelayMs: 60_000,
      clock: "manual"
    })
    const clients = [open(), open()]
    for (const client of clients) {
      client.write(faultPost())
      await client.read(/200 OK/)
    }

    await Promise.all([server.close(), server.close()])

    for (const client of clients) expect(chunksOf(await client.readToEnd()).isComplete).toBe(false)
    expect(server.requests.map(({ outcome }) => outcome)).toEqual(["client_closed", "stalled"])
    const refused = await endOf(openRaw(server.port))
    expect(refused.end).toBe("ECONNREFUSED")
  })

  it("refuses connects in a gap, and idle connections of a pool are ended", async () => {
    const { server, open } = await liveFaults({
      sequence: ["success", "connection_refused:60000", "success"],
      clock: "manual"
    })
    const pooled = open()
    pooled.write(faultPost())

    expect(chunksOf(await pooled.readToEnd()).isComplete).toBe(true)
    // A connect that the system has queued may end as a reset.
    expect((await endOf(open())).end).toMatch(/^ECONN(?:REFUSED|RESET)$/)
    await server.clock.advance("60 seconds")
    const after = open()
    after.write(faultPost(close))
    expect(await after.readToEnd()).toContain("200 OK")
    expect(server.requests.map(({ attempt }) => attempt)).toEqual([1, 2])
  })

  it("gives a lane a port of its own, which alone refuses", async () => {
    const { server } = await liveFaults({
      clock: "manual",
      lanes: {
        lanePort: true,
        scripts: {
          "*": { sequence: ["success"], repeatLast: true },
          alpha: { sequence: ["rate_limit", "connection_refused:60000", "success"] }
        }
      }
    })
    const own = Number(new URL(server.laneURLs.get("alpha") ?? "").port)
    const ask = (port: number) => {
      const client = openRaw(port)
      client.write(faultPost(close))
      return endOf(client)
    }

    expect((await ask(own)).text).toContain("429")
    expect((await ask(own)).end).toMatch(/^ECONN/)
    expect((await ask(server.port)).text).toContain("200 OK")
    await server.clock.advance("60 seconds")
    expect((await ask(own)).text).toContain("200 OK")
    expect(server.requests.map(({ lane }) => lane)).toEqual(["alpha", "default", "alpha"])
  })

  it("puts IPv6 hosts in brackets", async () => {
    await using server = await startFaultServer({ sequence: ["success"], host: "::1" })

    expect(server.baseURL).toBe(`http://[::1]:${server.port}`)
    expect(server.url).toBe(`http://[::1]:${server.port}/v1`)
  })

  it("rejects when the port is taken", async () => {
    await using server = await startFaultServer({ sequence: ["success"] })

    await expect(startFaultServer({ sequence: ["success"], port: server.port })).rejects.toThrow("EADDRINUSE")
  })
})
