import { endless, type FrameProblem, type FrameScanner } from "./framing.ts"
import { type HeaderReader, headedScanner, headerIncomplete } from "./headed-scanner.ts"
import { frameBodyBytesMax } from "./length-prefixed.ts"
import { passUsualBlocks } from "./usual-blocks.ts"

/** A block of headers may have so many bytes, the empty line at its end included. */
export const headerBlockBytesMax = 8_192

/**
 * A scanner of frames as of LSP and DAP: lines of headers, an empty line, and so many bytes as `Content-Length` says.
 * LF ends a line as CRLF does.
 *
 * **Fails** with a bad header when there is not exactly one decimal `Content-Length`; too long are a block of headers over
 * 8 KiB, as soon as it is, and a body over `bodyBytesMax`, as soon as its length is known
 * **Source** agent-harness.md, section 6.2
 *
 * @since 0.1.0
 * @category constructors
 */
export const contentLengthScanner = ({ bodyBytesMax = frameBodyBytesMax } = {}): FrameScanner =>
  headedScanner(blockReader(bodyBytesMax), bodyBytesMax)

const blockReader = (bodyBytesMax: number): HeaderReader => {
  const skipped = { frames: 0, endedAt: 0, headerBytes: 0, totalBytes: 0 }
  const block = new Uint8Array(headerBlockBytesMax)
  let held = 0
  let lineFrom = 0
  let bodyBytes = headerIncomplete
  let failure: FrameProblem | null = null

  const isEmptyLine = (): boolean => held - lineFrom === 1 || (held - lineFrom === 2 && block[lineFrom] === 0x0d)

  const close = (): void => {
    const length = lengthIn(block.subarray(0, held))
    if (typeof length === "string") failure = { reason: "bad header", message: length }
    else bodyBytes = length
    held = 0
    lineFrom = 0
  }

  return {
    take(chunk, from) {
      bodyBytes = headerIncomplete
      let at = from
      while (at < chunk.length) {
        const lineFeed = chunk.indexOf(0x0a, at)
        const end = lineFeed < 0 ? chunk.length : lineFeed + 1
        if (held + end - at > headerBlockBytesMax) {
          failure = endless("a block of headers", headerBlockBytesMax)
          return at
        }
        block.set(chunk.subarray(at, end), held)
        held += end - at
        at = end
        if (lineFeed < 0) break
        if (isEmptyLine()) {
          close()
          break
        }
        lineFrom = held
      }
      return at
    },
    skip: (chunk, from, most) => passUsualBlocks(chunk, from, most, bodyBytesMax, skipped),
    skipped,
    get bodyBytes() {
      return bodyBytes
    },
    kind: null,
    isCounted: true,
    get failure() {
      return failure
    }
  }
}

/** The length that a block of headers says, or what is wrong with it. */
const lengthIn = (block: Uint8Array): number | string => {
  const values = new TextDecoder("latin1")
    .decode(block)
    .split("\n")
    .map((line) => /^content-length[ \t]*:(.*)$/i.exec(line.trimEnd())?.[1]?.trim())
    .filter((value) => value !== undefined)
  const [value = ""] = values
  if (values.length !== 1) return `a block of headers has ${values.length} lines of Content-Length; it needs one`
  return /^\d+$/.test(value) ? Number(value) : "a block of headers has a Content-Length that is no decimal number"
}
