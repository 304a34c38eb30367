import { describe, expect, it } from "vitest"
import { lineBytesMax, lineSplitter } from "../../../src/wire/acp/line-splitter.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe("lineSplitter", () => {
  it("removes LF, and CR only directly before it", () => {
    const { lines } = lineSplitter().push(bytes("a\r\nb\rc\n\r\n"))

    expect(lines.map(({ text }) => text)).toEqual(["a", "b\rc", ""])
  })

  it("gives the last line without LF at the end of the stream, as it is", () => {
    const splitter = lineSplitter()

    expect(splitter.push(bytes("a\nb\r")).lines.map(({ text }) => text)).toEqual(["a"])
    expect(splitter.end()?.text).toBe("b\r")
    expect(splitter.end()).toBeNull()
  })

  it("says where bytes are not UTF-8, and keeps them", () => {
    const [line] = lineSplitter().push(new Uint8Array([0x61, 0xff, 0x0a])).lines

    expect(line).toMatchObject({ text: "a\ufffd", isUtf8: false })
    expect([...(line?.bytes ?? [])]).toEqual([0x61, 0xff, 0x0a])
  })

  it("keeps a byte-order mark, which is a character of the line", () => {
    const [line] = lineSplitter().push(bytes("\ufeff{}\n")).lines

    expect(line?.text).toBe("\ufeff{}")
  })

  it("lets a line of 64 MiB pass with its LF, and tells one of a byte more before it has ended", () => {
    const piece = new Uint8Array(65_536).fill(0x78)
    const fitting = lineSplitter()
    const tooLong = lineSplitter()
    for (let sent = 0; sent < lineBytesMax - piece.length; sent += piece.length) {
      expect(fitting.push(piece).overflow).toBeNull()
      expect(tooLong.push(piece).overflow).toBeNull()
    }
    const last = piece.slice()
    last[last.length - 1] = 0x0a

    expect(fitting.push(last).lines[0]?.bytes.length).toBe(lineBytesMax)
    expect(tooLong.push(piece)).toEqual({ lines: [], overflow: lineBytesMax })
    expect(tooLong.push(bytes("\n{}\n"))).toEqual({ lines: [], overflow: null })
    expect(tooLong.end()).toBeNull()
  })
})
