import type { BodyDecoder } from "./body-decoder.ts"
import { latin1Bytes } from "./latin1.ts"
import { type LineBlock, lineBlock } from "./line-block.ts"

/** More digits than a number of bytes has; zeros before it do not count. */
const sizeDigitsMax = 13
/** The line of a size may have so many bytes, with its extensions, which nobody uses. */
const sizeLineBytesMax = 4_096

/**
 * A decoder of a body that comes in chunks. Its end is the last chunk, of size 0, with the trailers as they come.
 *
 * **Fails** with sizes that are no hexadecimal numbers, lines that do not end with CRLF, and trailers over 64 KiB
 * **Source** RFC 9112, section 7.1
 *
 * @since 0.1.0
 * @category constructors
 */
export const chunkedDecoder = (): BodyDecoder => {
  let at: "size" | "data" | "dataEnd" | "trailers" = "size"
  let line = ""
  let left = 0
  let trailers: LineBlock | null = null
  let problem: string | null = null

  const takeSize = (byte: number): void => {
    line += String.fromCharCode(byte)
    if (line.length > sizeLineBytesMax) problem = `the line of a chunk's size has more than ${sizeLineBytesMax} bytes`
    else if (byte === 0x0a) {
      const [, written] = /^([0-9a-f]+)[ \t]*(?:;[^\r\n]*)?\r\n$/i.exec(line) ?? []
      const digits = written?.replace(/^0+/, "")
      if (digits === undefined || digits.length > sizeDigitsMax) problem = badSize
      else {
        left = digits === "" ? 0 : Number.parseInt(digits, 16)
        at = left === 0 ? "trailers" : "data"
        line = ""
      }
    } else if (!/^[0-9a-f]/i.test(line)) problem = badSize
  }

  const takeDataEnd = (byte: number): void => {
    line += String.fromCharCode(byte)
    if (line === "\r") return
    if (line !== "\r\n") problem = "a chunk is longer than its size says, or does not end with CRLF"
    line = ""
    at = "size"
  }

  return {
    take(chunk, from, found) {
      let next = from
      while (next < chunk.length && problem === null) {
        if (at === "data") {
          const data = chunk.subarray(next, next + left)
          next += data.length
          left -= data.length
          if (left === 0) at = "dataEnd"
          found(data)
        } else if (at === "trailers") {
          trailers ??= lineBlock({ what: "the trailer section of a body" })
          next = trailers.take(chunk, next)
          problem = trailers.problem()
          if (trailers.isComplete()) return next
        } else {
          const byte = chunk[next++] ?? 0
          if (at === "size") takeSize(byte)
          else takeDataEnd(byte)
        }
      }
      return next
    },
    isComplete: () => trailers?.isComplete() === true,
    problem: () => problem,
    end() {
      if (at !== "trailers") return new Uint8Array()
      const lines = trailers?.given() ?? new Uint8Array()
      const end = new Uint8Array(lastSize.length + lines.length)
      end.set(lastSize)
      end.set(lines, lastSize.length)
      return end
    }
  }
}

const lastSize = latin1Bytes("0\r\n")

/** The end of a body in chunks that has no trailers. */
export const lastChunk: Uint8Array = latin1Bytes("0\r\n\r\n")

/** What stands in its place may be anything, a key too. */
const badSize = "a chunk begins with a line that is no hexadecimal number of bytes and CRLF"

/** Bytes as a chunk; none as nothing, since an empty chunk is the last one. */
export const chunkOf = (bytes: Uint8Array): Uint8Array => {
  if (bytes.length === 0) return bytes
  const size = latin1Bytes(`${bytes.length.toString(16)}\r\n`)
  const chunk = new Uint8Array(size.length + bytes.length + 2)
  chunk.set(size)
  chunk.set(bytes, size.length)
  chunk.set([0x0d, 0x0a], size.length + bytes.length)
  return chunk
}
