import fc from "fast-check"
import { expect, test } from "vitest"
import { contentLengthScanner } from "../src/wire/frames/content-length-scanner.ts"
import type { FrameScanner } from "../src/wire/frames/framing.ts"
import { lengthPrefixedScanner } from "../src/wire/frames/length-prefixed-scanner.ts"
import { ndjsonScanner } from "../src/wire/frames/ndjson-scanner.ts"
import { cutAt } from "./arbitraries/acp-lines.ts"
import { checkProperty } from "./check.ts"

/** A framing with the longest body it lets through, and how a header for a body is written. */
interface Framing {
  readonly scanner: (bodyBytesMax: number) => FrameScanner
  readonly header: (bodyBytes: number) => Uint8Array
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value)

const prefixed = fc
  .record({
    prefixBytes: fc.constantFrom<1 | 2 | 4 | 8>(1, 2, 4, 8),
    endian: fc.constantFrom<"big" | "little">("big", "little"),
    includesPrefix: fc.boolean()
  })
  .map(
    (options): Framing => ({
      scanner: (bodyBytesMax) => lengthPrefixedScanner({ ...options, bodyBytesMax }),
      header(bodyBytes) {
        const wide = Buffer.alloc(8)
        wide.writeBigUInt64BE(BigInt(bodyBytes + (options.includesPrefix ? options.prefixBytes : 0)))
        const bytes = [...wide.subarray(8 - options.prefixBytes)]
        return Uint8Array.from(options.endian === "big" ? bytes : bytes.reverse())
      }
    })
  )

const headed = fc
  .record({
    name: fc.constantFrom("Content-Length", "content-length", "CONTENT-LENGTH"),
    end: fc.constantFrom("\r\n", "\n"),
    before: fc.constantFrom("", "x-kept: 1"),
    after: fc.constantFrom("", "Content-Type: a")
  })
  .map(
    ({ name, end, before, after }): Framing => ({
      scanner: (bodyBytesMax) => contentLengthScanner({ bodyBytesMax }),
      header: (bodyBytes) =>
        text([before, `${name}: ${bodyBytes}`, after].filter((line) => line !== "").join(end) + end + end)
    })
  )

const bodies = fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 6 })
/** Evenly, as doubles would not be. */
const cuts = fc.array(
  fc.nat(1_000).map((share) => share / 1_000),
  { maxLength: 12 }
)

const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]))

/** Scans the pieces: header and total length of each frame, and the place in the stream where it ends. */
const scanned = (scanner: FrameScanner, pieces: ReadonlyArray<Uint8Array>) => {
  let before = 0
  const frames = pieces.flatMap((piece) => {
    const { ends, failure } = scanner.scan(piece)
    expect(failure).toBeNull()
    const placed = ends.map(({ at, headerBytes, totalBytes }) => ({ at: before + at, headerBytes, totalBytes }))
    before += piece.length
    return placed
  })
  return { frames, open: scanner.open() }
}

const placed = (lengths: ReadonlyArray<{ readonly headerBytes: number; readonly totalBytes: number }>) => {
  let at = 0
  return lengths.map((frame) => {
    at += frame.totalBytes
    return { at, ...frame }
  })
}

// One of these properties or more was seen to fail on each of these bugs, planted one at a time: a frame begins with a byte of the one before
// it; a frame without a body at the end of a chunk waits for the next; a body of the limit is refused; a little-endian prefix has a wrong
// weight; the name of a header is read with its case; CRLF alone is no empty line; what is held of a line is forgotten with its chunk.
test("X2. frames with a header end where they were written to end, wherever the bytes are cut", () => {
  const property = fc.property(fc.oneof(prefixed, headed), bodies, cuts, fc.nat(400), (framing, sent, places, part) => {
    const frames = sent.map((body) => joined([framing.header(body.length), body]))
    const tail = joined([framing.header(90), new Uint8Array(90)])
    const held = part % tail.length
    const bytes = joined([...frames, tail.subarray(0, held)])

    const { frames: found, open } = scanned(framing.scanner(200), cutAt(bytes, places))

    const lengths = sent.map(({ length }) => ({
      headerBytes: framing.header(length).length,
      totalBytes: framing.header(length).length + length
    }))
    expect(found).toEqual(placed(lengths))
    const headerBytes = held < tail.length - 90 ? null : tail.length - 90
    expect(open).toEqual({ bytes: held, headerBytes, totalBytes: headerBytes === null ? null : tail.length })
  })
  checkProperty("X2 frames with a header", property)
})

test("X2. lines end behind their LF, wherever the bytes are cut", () => {
  const line = fc.uint8Array({ maxLength: 40 }).map((bytes) => bytes.filter((byte) => byte !== 10))
  const property = fc.property(fc.array(line, { maxLength: 6 }), line, cuts, (lines, tail, places) => {
    const bytes = joined([...lines.flatMap((bytes) => [bytes, Uint8Array.of(10)]), tail])

    const { frames, open } = scanned(ndjsonScanner({ lineBytesMax: 41 }), cutAt(bytes, places))

    expect(frames).toEqual(placed(lines.map(({ length }) => ({ headerBytes: 0, totalBytes: length + 1 }))))
    expect(open.bytes).toBe(tail.length)
  })
  checkProperty("X2 lines", property)
})

test("X13. a body of the limit passes, and one byte more fails with the last byte of its header", () => {
  const property = fc.property(fc.oneof(prefixed, headed), fc.nat(200), cuts, (framing, limit, places) => {
    const fitting = joined([framing.header(limit), new Uint8Array(limit)])
    const header = framing.header(limit + 1)
    const scanner = framing.scanner(limit)

    expect(scanned(scanner, cutAt(fitting, places)).frames).toHaveLength(1)
    expect(scanner.scan(header.subarray(0, -1))).toEqual({ ends: [], failure: null })
    const refused = scanner.scan(header.subarray(-1))
    expect(refused).toMatchObject({ ends: [], failure: { reason: "too long" } })
    expect(scanner.scan(fitting)).toEqual(refused)
  })
  checkProperty("X13 the limit of a body", property)
})
