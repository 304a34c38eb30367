import { describe, expect, it } from "vitest"
import { contentLengthScanner, headerBlockBytesMax } from "../../../src/wire/frames/content-length-scanner.ts"
import { lengthPrefixedScanner } from "../../../src/wire/frames/length-prefixed-scanner.ts"
import { ndjsonScanner } from "../../../src/wire/frames/ndjson-scanner.ts"
import { opaqueScanner } from "../../../src/wire/frames/opaque-scanner.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe("scanners of frames", () => {
  it("refuse a corrupt length when the prefix is there", () => {
    const { failure } = lengthPrefixedScanner().scan(Uint8Array.of(4, 0, 0, 1))
    expect(failure?.message).toBe("the body of a frame has 67108865 bytes; at most 67108864 are allowed")
    expect(lengthPrefixedScanner({ includesPrefix: true }).scan(Uint8Array.of(0, 0, 0, 3)).failure?.reason).toBe(
      "bad header"
    )
  })

  it("refuse headers without one decimal length, and those over 8 KiB", () => {
    for (const block of ["a: b\n\n", "Content-Length: 1\nContent-Length: 1\n\n", "Content-Length: 0x1\r\n\r\n", "\n"]) {
      expect(contentLengthScanner().scan(bytes(block)).failure?.reason).toBe("bad header")
    }
    const scanner = contentLengthScanner()
    expect(scanner.scan(new Uint8Array(headerBlockBytesMax)).failure).toBeNull()
    expect(scanner.scan(new Uint8Array(1)).failure?.reason).toBe("too long")
  })

  it("refuse a line when it has one byte too many, before its end is there", () => {
    expect(ndjsonScanner({ lineBytesMax: 3 }).scan(bytes("12\n")).failure).toBeNull()
    expect(ndjsonScanner({ lineBytesMax: 3 }).scan(bytes("1234")).failure?.reason).toBe("too long")
  })

  it("take a chunk as it is for a frame where nothing is known of the bytes", () => {
    expect(opaqueScanner().scan(bytes("ab")).ends).toEqual([{ at: 2, headerBytes: 0, totalBytes: 2 }])
    expect(opaqueScanner().scan(bytes("")).ends).toEqual([])
  })
})
