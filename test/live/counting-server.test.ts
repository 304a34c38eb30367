import { Agent, request } from "node:http"
import { describe, expect, it, onTestFinished } from "vitest"
import { spawnCountingServer } from "../../src/index.ts"
import { connected, openRaw } from "../support/live-world.ts"

const answer = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}"

const start = async () => {
  const server = await spawnCountingServer()
  onTestFinished(server.close)
  return { server, open: () => openRaw(Number(new URL(server.url()).port)) }
}

const get = (url: string, agent: Agent) =>
  new Promise<string>((resolve, reject) => {
    const sent = request(url, { agent }, (response) => {
      response.resume().on("end", () => resolve(`${response.statusCode}`))
    })
    sent.on("error", reject)
    sent.end()
  })

describe("a counting server", () => {
  it("counts connections, not requests", async () => {
    const { server } = await start()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    expect([server.connectionCount(), server.requestHeads()]).toEqual([0, []])

    for (const path of ["models", "chat/completions", "anything?x=1"]) await get(`${server.url()}/${path}`, agent)
    agent.destroy()

    expect(server.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
    expect(server.connectionCount()).toBe(1)
    expect(server.requestHeads().map((head) => head.split("\r\n")[0])).toEqual([
      "GET /v1/models HTTP/1.1",
      "GET /v1/chat/completions HTTP/1.1",
      "GET /v1/anything?x=1 HTTP/1.1"
    ])
  })

  it("keeps heads as they were sent, with their blank line, and reads bodies by their length", async () => {
    const { server, open } = await start()
    const heads = [
      "PUT /x HTTP/1.1\r\nX-Case: é\r\ncontent-length: 5\r\n\r\n",
      "BREW /y HTTP/1.1\r\n\r\n",
      "POST /z HTTP/1.1\r\nContent-Length:10\r\n\r\n",
      "POST /last HTTP/1.1\r\ncontent-length: many\r\n\r\n"
    ]
    const bodies = ["hello", "", "\r\n\r\n123456", ""]
    const client = open()
    client.write(heads.map((head, index) => `${head}${bodies[index]}`).join(""))

    expect(await client.read(/(HTTP[\s\S]*?\{\}){4}$/)).toBe(answer.repeat(4))
    expect(server.requestHeads().map((head) => Buffer.from(head, "latin1").toString("utf8"))).toEqual(heads)
    expect(server.connectionCount()).toBe(1)
  })

  it("understands requests in any pieces", async () => {
    const { server, open } = await start()
    const client = open()
    client.socket.setNoDelay(true)
    const bytes = "POST /x HTTP/1.1\r\ncontent-length: 3\r\n\r\nabc"
    for (const byte of bytes.repeat(2)) client.write(byte)

    expect(await client.read(/(HTTP[\s\S]*?\{\}){2}$/)).toBe(answer.repeat(2))
    expect(server.requestHeads()).toHaveLength(2)
  })

  it("answers when the whole body is there, and not before", async () => {
    const { open } = await start()
    const [slow, other] = [open(), open()]
    slow.write("POST /x HTTP/1.1\r\ncontent-length: 5\r\n\r\nhel")
    await connected(slow)
    other.write("GET / HTTP/1.1\r\n\r\n")
    await other.read(/\}$/)
    expect(slow.socket.bytesRead).toBe(0)

    slow.write("lo")
    expect(await slow.read(/\}$/)).toBe(answer)
  })

  it("ends a connection whose head does not end, and forgets those that left", async () => {
    const { server, open } = await start()
    const [endless, gone, good] = [open(), open(), open()]
    endless.write(`GET / HTTP/1.1\r\na: ${"x".repeat(70_000)}`)
    await endless.readToEnd()
    gone.socket.end("GET / HTTP")
    await gone.readToEnd()

    good.write("GET / HTTP/1.1\r\n\r\n")
    expect(await good.read(/\}$/)).toBe(answer)
    expect([server.connectionCount(), server.requestHeads().length]).toEqual([3, 1])
  })

  it("closes with open connections, also twice, and by leaving its scope", async () => {
    const { server, open } = await start()
    const client = open()
    client.write("GET / HTTP/1.1\r\n\r\n")
    await client.read(/\}$/)

    await server.close()
    await client.readToEnd()
    await server[Symbol.asyncDispose]()

    await expect(open().read(/./)).rejects.toThrow("the connection ended")
  })
})
