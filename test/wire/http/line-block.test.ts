import { describe, expect, it } from "vitest"
import { latin1Bytes, latin1Text } from "../../../src/wire/http/latin1.ts"
import { blockBytesMax, type LineBlockOptions, lineBlock } from "../../../src/wire/http/line-block.ts"

const read = (text: string, options: Partial<LineBlockOptions> = {}, pieceBytes = text.length) => {
  const block = lineBlock({ what: "the block", ...options })
  const bytes = latin1Bytes(text)
  let at = 0
  while (at < bytes.length && !block.isComplete() && block.problem() === null)
    at += block.take(bytes.subarray(at, at + pieceBytes), 0)
  return {
    isComplete: block.isComplete(),
    problem: block.problem(),
    bytes: block.bytes(),
    text: latin1Text(block.given()),
    left: text.slice(at)
  }
}

describe("a block of lines", () => {
  it.each([1, 100])("ends with an empty line, CRLF or LF, in pieces of %i bytes", (pieceBytes) => {
    for (const text of ["a: b\r\nc\r\n\r\n", "a: b\nc\n\n", "a\n\r\n", "a\r\n\n", "\r\n", "\n"])
      expect(read(`${text}rest`, {}, pieceBytes)).toEqual({
        isComplete: true,
        problem: null,
        bytes: text.length,
        text,
        left: "rest"
      })
  })

  it.each([1, 100])("may have empty lines before it, which are left out, in pieces of %i bytes", (pieceBytes) => {
    const block = read("\r\n\n\r\na\r\n\r\nrest", { skipsEmpty: true }, pieceBytes)

    expect(block).toMatchObject({ isComplete: true, text: "a\r\n\r\n", left: "rest" })
  })

  it("has 64 KiB at most", () => {
    const fitting = `${"a".repeat(blockBytesMax - 3)}\n\r\n`
    for (const pieceBytes of [blockBytesMax + 1, 1_000]) {
      expect(read(fitting, {}, pieceBytes)).toMatchObject({ isComplete: true, bytes: blockBytesMax })
      expect(read(`a${fitting}`, {}, pieceBytes).problem).toBe("the block has more than 65536 bytes")
    }
  })

  it("has no control characters, and no CR within a line", () => {
    expect(read("a\rb\r\n\r\n").problem).toBe("the block has a CR that ends no line")
    expect(read("a\r\r\n\r\n").problem).toBe("the block has a CR that ends no line")
    expect(read("a\u0016b").problem).toBe("the block has the control character 0x16")
    expect(read("a\u007f").problem).toBe("the block has the control character 0x7f")
    expect(read("a\tb\u0080\u00ff\r\n\r\n").isComplete).toBe(true)
  })

  it("is refused by its first line before the others are there", () => {
    const checkFirst = (line: string) => (line === "good" ? null : `no ${line}`)

    expect(read("bad\r\nmore", { checkFirst })).toMatchObject({ problem: "no bad", left: "more" })
    expect(read("bad", { checkFirst }).problem).toBeNull()
    expect(read("good\nbad\n\n", { checkFirst, skipsEmpty: true }).isComplete).toBe(true)
  })
})
