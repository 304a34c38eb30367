import { describe, expect, it } from "vitest"
import { InferenceRequestMatcher, InvalidOption, MockInferenceServer, ScriptedResponse } from "../../src/index.ts"
import { type LiveWorld, rawPost, startLive } from "../support/live-world.ts"

const chat = InferenceRequestMatcher.auxiliary("ChatCompletions")
const chatPath = "/v1/chat/completions"

/** A server with one expectation that nothing bad may claim, and a busy client that nothing bad may disturb. */
const startWatched = async (...options: Parameters<typeof startLive>) => {
  const world = await startLive(...options)
  const handle = world.server.expectResponse("untouched", chat, ScriptedResponse.text(209, "served"))
  const busy = world.server.expectResponseBlocked(
    "busy",
    InferenceRequestMatcher.auxiliary("Messages"),
    ScriptedResponse.text(210, "undisturbed")
  )
  const other = world.open()
  other.write(rawPost("/v1/messages", "{}"))
  await busy.waitBlocked()
  const expectUndisturbed = async () => {
    expect([handle.phase, busy.phase, world.server.requestCount()]).toEqual(["Pending", "Blocked", 1])
    busy.release()
    expect(await other.read(/undisturbed$/)).toMatch(/^HTTP\/1\.1 210 /)
    const client = world.open()
    client.write(rawPost(chatPath, "{}"))
    expect(await client.read(/served$/)).toMatch(/^HTTP\/1\.1 209 /)
  }
  return { ...world, expectUndisturbed }
}

const answerTo = async ({ open }: Pick<LiveWorld, "open">, bytes: string | Uint8Array, isEnough = /\r\n\r\n/) => {
  const client = open()
  client.write(bytes)
  return client.read(isEnough)
}

describe("a body over the limit", () => {
  it("is refused by its announced length, before it is sent", async () => {
    const world = await startWatched()
    const head = `POST ${chatPath} HTTP/1.1\r\nhost: mock\r\ncontent-type: application/json\r\ncontent-length: 268435457\r\n\r\n`

    const answer = await answerTo(world, head, /exceeded$/)

    expect(answer).toMatch(/^HTTP\/1\.1 413 Payload Too Large\r\ncontent-type: text\/plain; charset=utf-8\r\n/)
    expect(answer).toContain("\r\n\r\nFailed to buffer the request body: length limit of 268435456 bytes exceeded")
    await world.expectUndisturbed()
  })

  it("is refused as it arrives, where its length was not announced", async () => {
    const world = await startWatched({ bodyBytesMax: 1_000 })
    const client = world.open()
    client.write(
      `POST ${chatPath} HTTP/1.1\r\nhost: mock\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
    )
    client.write(`3e8\r\n${" ".repeat(1_000)}\r\n`)
    client.write("1\r\n1\r\n")

    expect(await client.read(/exceeded$/)).toMatch(/^HTTP\/1\.1 413 /)
    client.write(`0\r\n\r\nGET / HTTP/1.1\r\nhost: mock\r\n\r\n`)
    expect(await client.read(/ready\n$/)).toMatch(/HTTP\/1\.1 200 OK/)
    await world.expectUndisturbed()
  })

  it("of exactly the limit is accepted, on every route that reads one", async () => {
    const world = await startLive({ bodyBytesMax: 1_000 })
    const body = (bytes: number) => `"${"x".repeat(bytes - 2)}"`

    expect(await answerTo(world, rawPost(chatPath, body(1_000)))).toMatch(/^HTTP\/1\.1 200 /)
    expect(await answerTo(world, rawPost(chatPath, body(1_001)))).toMatch(/^HTTP\/1\.1 413 /)
    expect(await answerTo(world, rawPost("/v1/storage", body(1_000)))).toMatch(/^HTTP\/1\.1 200 /)
    expect(await answerTo(world, rawPost("/v1/storage", body(1_001)))).toMatch(/^HTTP\/1\.1 413 /)
    expect(await answerTo(world, rawPost("/v1/storage/batch_upload", body(1_001)))).toMatch(/^HTTP\/1\.1 404 /)
    expect(world.server.storageUploads()).toHaveLength(1)
  })

  it("has a limit that is a whole number from 1", async () => {
    await expect(MockInferenceServer.start({ bodyBytesMax: 0 })).rejects.toThrow(InvalidOption)
  })
})

describe("a body that is no JSON", () => {
  it.each([
    ["too deep", Buffer.from("[".repeat(129) + "]".repeat(129)), "nested deeper than 128 levels"],
    ["far too deep", Buffer.from("[".repeat(1_000_000)), "nested deeper than 128 levels"],
    ["invalid UTF-8", Buffer.from([0x22, 0xc3, 0x28, 0x22]), "the body is not valid UTF-8"],
    ["cut in a character", Buffer.from([0x22, 0xe6, 0x97]), "the body is not valid UTF-8"],
    ["empty", Buffer.alloc(0), ""]
  ])("is refused: %s", async (_, body, reason) => {
    const world = await startWatched()
    const head = `POST ${chatPath} HTTP/1.1\r\nhost: mock\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`

    const answer = await answerTo(world, Buffer.concat([Buffer.from(head), body]), /\r\n\r\nFailed to parse.+/)

    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(answer).toContain(`Failed to parse the request body as JSON: ${reason}`)
    await world.expectUndisturbed()
  })
})

describe("bytes that are no HTTP", () => {
  const host = "host: mock\r\n"
  it.each([
    [400, "a TLS greeting", Buffer.from("16030100", "hex")],
    [400, "binary", Buffer.from([0, 1, 2, 255, 254, 13, 10, 13, 10])],
    [400, "words", "hello server\r\n\r\n"],
    [400, "an unknown version", `GET / HTTP/9.9\r\n${host}\r\n`],
    [400, "an unknown method", `BREW / HTTP/1.1\r\n${host}\r\n`],
    [400, "no host", "GET / HTTP/1.1\r\n\r\n"],
    [400, "a header without a name", `GET / HTTP/1.1\r\n${host}: x\r\n\r\n`],
    [400, "a header name with a space", `GET / HTTP/1.1\r\n${host}a b: x\r\n\r\n`],
    [400, "a header value with a zero byte", `GET / HTTP/1.1\r\n${host}a: \0\r\n\r\n`],
    [400, "two lengths", `POST ${chatPath} HTTP/1.1\r\n${host}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`],
    [400, "a negative length", `POST ${chatPath} HTTP/1.1\r\n${host}content-length: -1\r\n\r\n`],
    [
      400,
      "a length beside chunks",
      `POST ${chatPath} HTTP/1.1\r\n${host}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n`
    ],
    [
      400,
      "a chunk size that is none",
      `POST ${chatPath} HTTP/1.1\r\n${host}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`
    ],
    [431, "one header of 20 KB", `GET / HTTP/1.1\r\n${host}a: ${"x".repeat(20_000)}\r\n\r\n`],
    [431, "ten thousand headers", `GET / HTTP/1.1\r\n${host}${"a: b\r\n".repeat(10_000)}\r\n`],
    [431, "a path of 20 KB", `GET /${"x".repeat(20_000)} HTTP/1.1\r\n${host}\r\n`]
  ])("are refused with %s and the end of the connection: %s", async (status, _, bytes) => {
    const world = await startWatched()
    const client = world.open()
    client.write(bytes)

    const text = await client.readToEnd()

    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(text).toMatch(/connection: close/i)
    await world.waitConnections(1)
    await world.expectUndisturbed()
  })

  it("behind a good request end the connection and cancel its answer", async () => {
    const world = await startLive()
    const handle = world.server.expectResponseBlocked("call", chat, ScriptedResponse.text(209, "answer"))
    const client = world.open()
    client.write(`${rawPost(chatPath, "{}")}hello\r\n\r\n`)

    const text = await client.readToEnd()

    // The connection ends at once; nothing of the answer is mixed with the refusal.
    expect(text).toMatch(/^(HTTP\/1\.1 400 [\s\S]*)?$/)
    await expect(handle.waitSatisfied()).rejects.toThrow("(state: Abandoned)")
    await world.waitConnections(0)
  })
})

describe("heads that come slowly", () => {
  it("end by themselves, with 408, while others are served", async () => {
    const world = await startWatched({}, { headMs: 50 })
    const slow = Array.from({ length: 50 }, () => world.open())
    for (const client of slow) client.write("POST /v1/chat/completions HTTP/1.1\r\nhost: mock\r\nx-slow: ")

    const ends = await Promise.all(slow.map((client) => client.readToEnd()))

    expect(new Set(ends.map((text) => text.split("\r\n")[0]))).toEqual(new Set(["HTTP/1.1 408 Request Timeout"]))
    await world.waitConnections(1)
    await world.expectUndisturbed()
  })

  it("are counted from the first byte: idle connections stay", async () => {
    const world = await startLive({}, { headMs: 50 })
    const idle = world.open()
    idle.write("GET / HTTP/1.1\r\nhost: mock\r\n\r\n")
    await idle.read(/ready/)
    const slow = world.open()
    slow.write("GET / HTT")

    await slow.readToEnd()

    idle.write("GET /v1/models HTTP/1.1\r\nhost: mock\r\n\r\n")
    expect(await idle.read(/"data":/)).toContain("HTTP/1.1 200 OK")
  })
})
