import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { makeBodyReader } from "../../src/sim/transport-body.ts"

const utf8 = new TextEncoder()

/** A reader of a body, and what it found. */
const reading = (headers: ReadonlyArray<string>, { method = "GET", status = 200 } = {}) => {
  const found: Array<string> = []
  let text = ""
  const reader = makeBodyReader(
    method,
    { status, headers },
    {
      data(bytes) {
        text += new TextDecoder("latin1").decode(bytes)
      },
      whole: (isClean) => void found.push(isClean ? "whole" : "whole, not clean"),
      failed: (error) => void found.push(error.message)
    }
  )
  reader.begin()
  return { reader, found, text: () => text }
}

describe("The reader of a body", () => {
  test("finds the chunks of a raw body, wherever it was cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, unit: "binary-ascii" }), { maxLength: 8 }),
        fc.array(fc.nat(200), { maxLength: 12 }),
        fc.boolean(),
        (chunks, cuts, hasTrailer) => {
          const framed = chunks.map((chunk) => `${chunk.length.toString(16)};x=1\r\n${chunk}\r\n`).join("")
          const bytes = utf8.encode(`${framed}0\r\n${hasTrailer ? "a: b\r\n" : ""}\r\n`)
          const { reader, found, text } = reading([])
          let from = 0
          for (const to of [...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]) {
            reader.raw(bytes.slice(from, to))
            from = to
          }

          expect([text(), found]).toEqual([chunks.join(""), ["whole"]])
        }
      )
    )
  })

  test("says what undici says of framing that is broken", () => {
    const error = (reason: string): string => `Response does not match the HTTP/1.1 protocol (${reason})`
    const seen = (raw: string): ReadonlyArray<string> => {
      const { reader, found } = reading([])
      reader.raw(utf8.encode(raw))
      return found
    }

    expect(seen("not-a-size\r\n")).toEqual([error("Invalid character in chunk size")])
    expect(seen("3x\r\nabc")).toEqual([error("Invalid character in chunk size")])
    expect(seen("3\r\nabcdef\r\n")).toEqual([error("Expected LF after chunk data")])
  })

  test("counts bytes where a length was said, and takes no more", () => {
    const exact = reading(["Content-Length", "3"])
    exact.reader.bytes(utf8.encode("ab"))
    exact.reader.end()
    expect(exact.found).toEqual([])
    exact.reader.bytes(utf8.encode("c"))
    expect([exact.text(), exact.found]).toEqual(["abc", ["whole"]])

    const longer = reading(["content-length", "3"])
    longer.reader.bytes(utf8.encode("abcdef"))
    expect([longer.text(), longer.found]).toEqual(["abc", ["whole, not clean"]])
  })

  test("knows the answers that have no body", () => {
    expect(reading(["content-length", "0"]).found).toEqual(["whole"])
    expect(reading([], { status: 204 }).found).toEqual(["whole"])
    expect(reading(["content-length", "9"], { method: "HEAD" }).found).toEqual(["whole, not clean"])
  })

  test("tells a connection that was to end from one that was lost", () => {
    const lost = new Error("other side closed")
    const cutOff = (headers: ReadonlyArray<string>): string => reading(headers).reader.cutOff(lost).message

    expect(cutOff(["connection", "keep-alive"])).toBe("other side closed")
    expect(cutOff(["connection", "close", "content-length", "10"])).toBe(
      "Response body length does not match content-length header"
    )
    expect(cutOff(["connection", "close"])).toBe("Response does not match the HTTP/1.1 protocol (Invalid EOF state)")
  })
})
