import { describe, expect, it } from "vitest"
import { openFraming } from "../../../src/proxy/framing/open-framing.ts"
import type { FramingChoice } from "../../../src/proxy/proxy-options.ts"
import { headerBlockBytesMax } from "../../../src/wire/frames/content-length-scanner.ts"
import type { FrameReader } from "../../../src/wire/frames/frame-reader.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const opened = (choice?: FramingChoice): FrameReader => openFraming(choice).open().clientToLeader
const run = { most: Number.POSITIVE_INFINITY, isWhole: false }
const one = { most: 1, isWhole: true }

const failureOf = (choice: FramingChoice, input: Uint8Array) => {
  const reader = opened(choice)
  reader.feed(input)
  expect(reader.next(run)).toBeNull()
  return reader.failure()
}

describe("framings", () => {
  it("refuse a corrupt length when the prefix is there", () => {
    expect(failureOf("lengthPrefixed", Uint8Array.of(4, 0, 0, 1))?.message).toBe(
      "the body of a frame has 67108865 bytes; at most 67108864 are allowed"
    )
    const tooShort = Uint8Array.of(0, 0, 0, 3)
    expect(failureOf({ type: "lengthPrefixed", includesPrefix: true }, tooShort)?.reason).toBe("bad header")
  })

  it("refuse headers without one decimal length, and those over 8 KiB", () => {
    for (const block of ["a: b\n\n", "Content-Length: 1\nContent-Length: 1\n\n", "Content-Length: 0x1\r\n\r\n", "\n"]) {
      expect(failureOf("contentLength", bytes(block))?.reason).toBe("bad header")
    }
    expect(failureOf("contentLength", new Uint8Array(headerBlockBytesMax))).toBeNull()
    expect(failureOf("contentLength", new Uint8Array(headerBlockBytesMax + 1))?.reason).toBe("too long")
  })

  it("refuse a line when it has one byte too many, before its end is there", () => {
    const reader = opened({ type: "ndjson", limitBytes: 3 })
    reader.feed(bytes("12\n1234"))
    expect(reader.next(run)?.bytes).toEqual(bytes("12\n"))
    expect(reader.next(run)).toBeNull()
    expect(reader.failure()?.reason).toBe("too long")
  })

  it("take a chunk as it is for a frame where nothing is known of the bytes", () => {
    const reader = opened("opaque")
    reader.feed(bytes("ab"))
    reader.feed(bytes(""))
    reader.feed(bytes("c"))
    expect(reader.next(run)).toMatchObject({ bytes: bytes("ab"), frames: 1, isWhole: true })
    expect(reader.next(one)).toMatchObject({ bytes: bytes("c"), frames: 1, last: { headerBytes: 0, totalBytes: 1 } })
    expect(reader.next(one)).toBeNull()
  })

  it("take no memory for what is announced and has not come", () => {
    const reader = opened({ type: "lengthPrefixed", limitBytes: 2 ** 30 })
    const before = process.memoryUsage().arrayBuffers
    reader.feed(Uint8Array.of(0x40, 0, 0, 0, 1))
    expect(reader.next(one)).toBeNull()
    expect(reader.heldBytes()).toBe(5)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(65_536)
  })

  it("gather a frame from many chunks", () => {
    const line = Uint8Array.from({ length: 5_000 }, (_, place) => (place === 4_999 ? 10 : (place % 90) + 32))
    const lines = opened("ndjson")
    for (let from = 0; from < line.length; from += 70) {
      lines.feed(line.subarray(from, from + 70))
      if (from + 70 < line.length) expect(lines.next(one)).toBeNull()
    }
    expect(lines.next(one)).toMatchObject({ bytes: line, isWhole: true })
    expect(lines.heldBytes()).toBe(0)
  })

  it("decode the JSON of a body that is whole, and of no other", () => {
    const content = (choice: FramingChoice, text: Uint8Array): unknown => {
      const reader = opened(choice)
      reader.feed(text)
      const part = reader.next(one)
      return part === null ? null : reader.content(part)
    }
    expect(content("ndjson", bytes('{"a":1}\r\n'))).toEqual({ a: 1 })
    expect(content("ndjson", bytes("nothing\n"))).toBeUndefined()
    expect(content("lengthPrefixed", Uint8Array.of(0, 0, 0, 2, 0x5b, 0x5d))).toEqual([])
    expect(content("lengthPrefixed", Uint8Array.of(0, 0, 0, 3, 0x22, 0xff, 0x22))).toBeUndefined()
    expect(content("contentLength", bytes("Content-Length: 1\r\n\r\n7"))).toBe(7)
    expect(content("opaque", bytes("7"))).toBeUndefined()
  })
})
