import { describe, expect, it } from "vitest"
import { openFraming } from "../../../src/proxy/framing/open-framing.ts"
import type { FrameReader } from "../../../src/wire/frames/frame-reader.ts"

const wish = { most: 1, isWhole: true }

const failureOf = (reader: FrameReader, text: string): string | null => {
  reader.feed(new TextEncoder().encode(text))
  while (reader.next(wish) !== null);
  return reader.failure()?.message ?? null
}

const secret = "SEKRET"
const head = "POST /v1 HTTP/1.1\r\nHost: a\r\n"

// Seen to fail while messages showed the line, or the value, that was refused.
describe("why a stream of HTTP is refused", () => {
  it.each([
    `Authorization: Bearer ${secret}\r\n`,
    `GET /v1?api_key=${secret} HTTP/2\r\n`,
    `GET /v1?api_key=${secret} HTTP/1.1 HTTP/1.1\r\n`,
    `${head}Authorization Bearer ${secret}\r\n\r\n`,
    `${head}${secret} : b\r\n\r\n`,
    `${head}A: b\r\n Bearer: ${secret}\r\n\r\n`,
    `${head}Content-Length: ${secret}\r\n\r\n`,
    `${head}Transfer-Encoding: ${secret}\r\n\r\n`,
    `${head}Transfer-Encoding: chunked, ${secret}\r\n\r\n`,
    `${head}Content-Length: 2\r\n\r\nhiAuthorization: Bearer ${secret}\r\n`,
    `${head}Transfer-Encoding: chunked\r\n\r\n2${secret}\r\n`,
    `${head}Transfer-Encoding: chunked\r\n\r\n2\r\nhi${secret}\r\n`,
    `${head}Transfer-Encoding: chunked\r\n\r\n0\r\nA: ${secret}\u0000\r\n`,
    `${head}A: ${secret}\u0000\r\n\r\n`
  ])("is told without what it says: %j", (text) => {
    expect(failureOf(openFraming("http").open().clientToLeader, text)).not.toBeNull()
    expect(failureOf(openFraming("http").open().clientToLeader, text)).not.toContain(secret)
  })

  it("is told of a response without what it says", () => {
    expect(failureOf(openFraming("http").open().leaderToClient, `HTTP/1.1 ${secret}\r\n`)).not.toContain(secret)
  })

  it("is told of blocks of headers without their lengths", () => {
    const message = failureOf(openFraming("contentLength").open().clientToLeader, `Content-Length: ${secret}\r\n\r\n`)

    expect(message).toBe("a block of headers has a Content-Length that is no decimal number")
  })
})

// Seen to hang when an expression takes the blanks off: 120 heads with 60,000 blanks each would take minutes.
describe("heads of blanks", () => {
  it("are read as fast as others", () => {
    const reader = openFraming("http").open().clientToLeader
    const blanks = `${head}A: a${" ".repeat(60_000)}b\r\n\r\n`
    for (let count = 0; count < 120; count++) expect(failureOf(reader, blanks)).toBeNull()
  })

  it("that give the size of a chunk in zeros are refused as fast", () => {
    for (let count = 0; count < 2_000; count++) {
      const reader = openFraming("http").open().clientToLeader
      expect(failureOf(reader, `${head}Transfer-Encoding: chunked\r\n\r\n${"0".repeat(4_000)}x\r\n`)).not.toBeNull()
    }
  })
})

// Seen to give each of them by itself.
describe("blank lines and comments between events", () => {
  it("are given together, up to the next event", () => {
    const reader = openFraming("http").open().leaderToClient
    const text = (part: { readonly bytes: Uint8Array } | null) => new TextDecoder().decode(part?.bytes)
    const between = `${"\n".repeat(10_000)}${": hi\n\n".repeat(10_000)}`
    reader.feed(new TextEncoder().encode("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"))
    reader.next(wish)
    reader.feed(new TextEncoder().encode(`${between}data: 1\n\n${between}data: 2\n\ndata: 3\n\n\n`))

    const parts = Array.from({ length: 7 }, () => reader.next(wish))

    expect(parts.map(text)).toEqual([between, "data: 1\n\n", between, "data: 2\n\n", "data: 3\n\n", "\n", ""])
    expect(parts.map((part) => part?.frames)).toEqual([0, 1, 0, 1, 1, 0, undefined])
  })
})
