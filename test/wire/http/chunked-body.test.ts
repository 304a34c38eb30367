import { describe, expect, it } from "vitest"
import { chunkedDecoder, chunkOf } from "../../../src/wire/http/chunked-body.ts"
import { latin1Bytes, latin1Text } from "../../../src/wire/http/latin1.ts"

/** Decodes a text that comes in one piece, or byte by byte. */
const decoded = (text: string, pieceBytes = text.length) => {
  const decoder = chunkedDecoder()
  const bytes = latin1Bytes(text)
  let body = ""
  let read = 0
  while (read < bytes.length && !decoder.isComplete() && decoder.problem() === null) {
    const piece = bytes.subarray(read, read + pieceBytes)
    read += decoder.take(piece, 0, (found) => {
      body += latin1Text(found)
    })
  }
  const { isComplete, problem, end } = decoder
  return { body, left: text.slice(read), isComplete: isComplete(), problem: problem(), end: latin1Text(end()) }
}

const badSize = "a chunk begins with a line that is no hexadecimal number of bytes and CRLF"
const badEnd = "a chunk is longer than its size says, or does not end with CRLF"

describe("a body in chunks", () => {
  it.each([100, 1])("ends with its trailers, and leaves what is behind them, in pieces of %i bytes", (pieceBytes) => {
    const text = "4;a=b\r\nabcd\r\n00A \r\n0123456789\r\n0\r\nx-sum: 1\r\ny: 2\r\n\r\nHTTP"

    expect(decoded(text, pieceBytes)).toEqual({
      body: "abcd0123456789",
      left: "HTTP",
      isComplete: true,
      problem: null,
      end: "0\r\nx-sum: 1\r\ny: 2\r\n\r\n"
    })
  })

  it("that is cut off is not complete, and gives what was read of its end", () => {
    expect(decoded("3\r\nab")).toMatchObject({ body: "ab", isComplete: false, problem: null, end: "" })
    expect(decoded("0\r\nx: 1\r\n")).toMatchObject({ isComplete: false, problem: null, end: "0\r\nx: 1\r\n" })
  })

  it.each([
    ["g\r\n", badSize],
    ["\r\n", badSize],
    ["-1\r\n", badSize],
    ["0x1\r\n", badSize],
    ["1 1\r\na\r\n", badSize],
    ["1\na\r\n", badSize],
    ["12345678901234\r\n", badSize],
    [`1;${"a".repeat(4_096)}`, "more than 4096 bytes"],
    ["1\r\nab\r\n", badEnd],
    ["1\r\na\n", badEnd],
    [`0\r\n${"a: b\r\n".repeat(11_000)}`, "the trailer section of a body has more than 65536 bytes"],
    ["0\r\na\0b\r\n", "the trailer section of a body has the control character 0x00"]
  ])("is refused: %j", (text, message) => {
    for (const pieceBytes of [text.length, 1]) expect(decoded(text, pieceBytes).problem).toContain(message)
  })

  it("takes zeros before a size, and a size of 52 bits", () => {
    expect(decoded("0000000000000000001\r\na\r\n0\r\n\r\n")).toMatchObject({ body: "a", isComplete: true })
    expect(decoded("fffffffffffff\r\nab")).toMatchObject({ body: "ab", problem: null })
  })

  it("is never ended by an empty piece", () => {
    expect(latin1Text(chunkOf(latin1Bytes("abcdefghijklmnop")))).toBe("10\r\nabcdefghijklmnop\r\n")
    expect(chunkOf(new Uint8Array())).toHaveLength(0)
  })
})
