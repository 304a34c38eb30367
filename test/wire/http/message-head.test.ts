import { describe, expect, it } from "vitest"
import { requestBody, responseBody } from "../../../src/wire/http/body-length.ts"
import { latin1Bytes, latin1Text } from "../../../src/wire/http/latin1.ts"
import {
  headBytes,
  type MessageHead,
  type RequestStart,
  type ResponseStart,
  readMessageHead,
  readRequestLine,
  readStatusLine
} from "../../../src/wire/http/message-head.ts"

const request = (lines: string): MessageHead<RequestStart> | string =>
  readMessageHead(latin1Bytes(`${lines}\r\n\r\n`), readRequestLine)
const response = (lines: string): MessageHead<ResponseStart> | string =>
  readMessageHead(latin1Bytes(`${lines}\r\n\r\n`), readStatusLine)

const right = <A extends object>(read: A | string): A => {
  if (typeof read === "string") throw new Error(read)
  return read
}

describe("a head", () => {
  it("is read whatever the case of its names and the blanks around its values, and gives its bytes again", () => {
    const block = latin1Bytes(
      "POST /v1/chat?a=b%20c HTTP/1.1\r\nHost:  a.test \nX-Empty:\r\nX-Caf\u00e9-less: \u0080\u009f\r\n\r\n"
    )
    const refused = readMessageHead(block, readRequestLine)
    const text = latin1Text(block).replace("-Caf\u00e9-less", "-Bytes")

    const head = right(readMessageHead(latin1Bytes(text), readRequestLine))

    expect(refused).toBe("line 4 of a head, of 15 bytes, is no header")
    expect(head.start).toEqual({ kind: "request", method: "POST", url: "/v1/chat?a=b%20c", version: "1.1" })
    expect(head.lines.map(({ name, value }) => [name, value])).toEqual([
      ["host", "a.test"],
      ["x-empty", ""],
      ["x-bytes", "\u0080\u009f"]
    ])
    expect(latin1Text(headBytes(head))).toBe(text)
  })

  it("of a response may have no reason", () => {
    expect(right(response("HTTP/1.0 204")).start).toEqual({ kind: "response", status: 204, version: "1.0" })
    expect(right(response("HTTP/1.1 200 ")).start.status).toBe(200)
    expect(right(response("HTTP/1.1 404 Not  Found")).start.status).toBe(404)
  })

  it.each([
    ["PRI * HTTP/2.0", "a request begins with a line of HTTP/2; of HTTP, 1.0 and 1.1 are read"],
    ["GET /a b HTTP/1.1", "a request begins with a line of 17 bytes that is none of HTTP/1.1"],
    ["GET  / HTTP/1.1", "a request begins with a line of 15 bytes that is none of HTTP/1.1"],
    ['{"id":1}', "a request begins with a line of 8 bytes that is none of HTTP/1.1"],
    ["GET / HTTP/1.1\r\nHost : a", "line 2 of a head, of 8 bytes, is no header"],
    ["GET / HTTP/1.1\r\nA: b\r\n folded: secret", "line 3 of a head, of 15 bytes, is no header"],
    ["GET / HTTP/1.1\r\nnothing", "line 2 of a head, of 7 bytes, is no header: it has no colon"]
  ])("that begins with %j is none", (lines, message) => {
    expect(request(lines)).toBe(message)
  })

  it("of a response with another first line is none", () => {
    expect(response("ICY 200 OK")).toBe("a response begins with a line of 10 bytes that is none of HTTP/1.1")
    expect(response("HTTP/1.1 20 OK")).toContain("none of HTTP/1.1")
    expect(response("HTTP/2 200")).toContain("1.0 and 1.1 are read")
  })
})

describe("the length of a body", () => {
  const ofRequest = (lines: string) => requestBody(right(request(lines)))
  const ofResponse = (lines: string, method = "GET") => responseBody(right(response(lines)), method)
  const post = (headers: string) => ofRequest(`POST / HTTP/1.1\r\n${headers}`)
  const ok = (headers: string) => ofResponse(`HTTP/1.1 200 OK\r\n${headers}`)
  const none = { kind: "bytes", bytes: 0 }

  it("is what the head says, in digits or in chunks", () => {
    expect(post("content-length: 007")).toEqual({ kind: "bytes", bytes: 7 })
    expect(post("Transfer-Encoding: Chunked")).toEqual({ kind: "chunked", isCoded: false })
    expect(ok("transfer-encoding: gzip\r\nTransfer-Encoding: chunked")).toEqual({ kind: "chunked", isCoded: true })
  })

  it("is nothing for a request that says nothing, and up to the end for a response", () => {
    expect(post("a: b")).toEqual(none)
    expect(ok("a: b")).toEqual({ kind: "untilClose" })
    expect(ok("Transfer-Encoding: gzip")).toEqual({ kind: "untilClose" })
  })

  it("is nothing for what never has a body, whatever the head says", () => {
    for (const status of [100, 103, 204, 304])
      expect(ofResponse(`HTTP/1.1 ${status} x\r\ncontent-length: 5`)).toEqual(none)
    expect(ofResponse("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked", "HEAD")).toEqual(none)
  })

  it("has no sense behind 101, and behind a CONNECT that is granted", () => {
    expect(ofResponse("HTTP/1.1 101 x")).toEqual({ kind: "tunnel" })
    expect(ofResponse("HTTP/1.1 200 x\r\ncontent-length: 5", "CONNECT")).toEqual({ kind: "tunnel" })
    expect(ofResponse("HTTP/1.1 407 x\r\ncontent-length: 5", "CONNECT")).toEqual({ kind: "bytes", bytes: 5 })
  })

  it.each([
    ["content-length: 5\r\ntransfer-encoding: chunked", "both Content-Length and Transfer-Encoding"],
    ["content-length: 5\r\ncontent-length: 5", "2 lines of Content-Length"],
    ["content-length: 5, 5", "a Content-Length that is no decimal number"],
    ["content-length: -1", "no decimal number"],
    ["content-length: 0x1", "no decimal number"],
    ["content-length:", "no decimal number"],
    ["content-length: 9007199254740993", "no decimal number"],
    ["transfer-encoding: chunked, gzip", "chunked is not the last, or stands twice"],
    ["transfer-encoding: chunked, chunked", "chunked is not the last, or stands twice"]
  ])("is refused where a head says %j", (lines, message) => {
    expect(post(lines)).toMatchObject({ kind: "refused", message: expect.stringContaining(message) })
    expect(ok(lines)).toMatchObject({ kind: "refused", message: expect.stringContaining(message) })
  })

  it("is refused where a request has a coding that does not say its end, and where HTTP/1.0 has chunks", () => {
    expect(post("transfer-encoding: gzip")).toMatchObject({ kind: "refused" })
    expect(ofRequest("POST / HTTP/1.0\r\ntransfer-encoding: chunked")).toMatchObject({ kind: "refused" })
  })
})
