import fc from "fast-check"
import type { FramingChoice } from "../../src/proxy/proxy-options.ts"
import type { Wishes } from "../observation/frame-reading.ts"
import { cutAt } from "./acp-lines.ts"

/** A framing that bounds what it carries, and how a frame is written in it. */
export interface WrittenFraming {
  readonly choice: (limitBytes: number) => FramingChoice
  /** The longest body that is written in it here. */
  readonly bytesMax: number
  /** The header for a body of so many bytes. */
  readonly header: (bodyBytes: number) => Uint8Array
  /** A frame with a body of so many bytes, made of these; what the limit counts is the body. */
  readonly write: (body: Uint8Array) => Uint8Array
}

export const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]))

const longest = 700

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const headed = (framing: Omit<WrittenFraming, "write">): WrittenFraming => ({
  ...framing,
  write: (body) => joined([framing.header(body.length), body])
})

const prefixed = fc
  .record({
    prefixBytes: fc.constantFrom<1 | 2 | 4 | 8>(1, 2, 4, 8),
    endian: fc.constantFrom<"big" | "little">("big", "little"),
    includesPrefix: fc.boolean()
  })
  .map((options) =>
    headed({
      choice: (limitBytes) => ({ type: "lengthPrefixed", ...options, limitBytes }),
      bytesMax: options.prefixBytes === 1 ? 200 : longest,
      header(bodyBytes) {
        const wide = Buffer.alloc(8)
        wide.writeBigUInt64BE(BigInt(bodyBytes + (options.includesPrefix ? options.prefixBytes : 0)))
        const bytes = [...wide.subarray(8 - options.prefixBytes)]
        return Uint8Array.from(options.endian === "big" ? bytes : bytes.reverse())
      }
    })
  )

const contentLength = fc
  .record({
    name: fc.constantFrom("Content-Length", "content-length", "CONTENT-LENGTH"),
    end: fc.constantFrom("\r\n", "\n"),
    before: fc.constantFrom("", "x-kept: 1"),
    after: fc.constantFrom("", "Content-Type: a")
  })
  .map(({ name, end, before, after }) =>
    headed({
      choice: (limitBytes) => ({ type: "contentLength", limitBytes }),
      bytesMax: longest,
      header: (bodyBytes) =>
        bytesOf([before, `${name}: ${bodyBytes}`, after].filter((line) => line !== "").join(end) + end + end)
    })
  )

/** The limit of a line counts its LF. */
const ndjson: WrittenFraming = {
  choice: (limitBytes) => ({ type: "ndjson", limitBytes: limitBytes + 1 }),
  bytesMax: longest,
  header: () => new Uint8Array(),
  write: (body) => Uint8Array.from([...body.map((byte) => (byte === 10 ? 11 : byte)), 10])
}

export const headedFramings = fc.oneof(prefixed, contentLength)
export const writtenFramings = fc.oneof(prefixed, contentLength, fc.constant(ndjson))

/** Many are short, some have a length of which two bytes matter, or that the frames are bounded by. */
const body = fc.oneof(
  fc.uint8Array({ maxLength: 12 }),
  fc.constantFrom(0, 1, 199, 200, 255, 256, 257, 512, longest).map((length) => new Uint8Array(length).fill(1)),
  fc.uint8Array({ maxLength: 300 })
)

/** A framing, bodies that are not too long for it, and the same frames as they are written. */
export const framedStreams = (framings: fc.Arbitrary<WrittenFraming>) =>
  fc.tuple(framings, fc.array(body, { maxLength: 8 })).map(([framing, wanted]) => {
    const bodies = wanted.map((bytes) => bytes.subarray(0, framing.bytesMax))
    return { framing, bodies, frames: bodies.map(framing.write) }
  })

/** Evenly, as doubles would not be; now and then behind every byte. */
const shares = fc.oneof(
  { weight: 5, arbitrary: fc.array(fc.nat(1_000), { maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constant([...Array(1_001).keys()]) }
)

/** Cuts bytes into chunks. */
export const cutters = shares.map(
  (places) => (bytes: Uint8Array) =>
    cutAt(
      bytes,
      places.map((place) => place / 1_000)
    )
)

/** How much is wanted, one wish behind the other, over and over; and how many chunks come before anything is asked. */
export interface Asking {
  readonly wishes: Wishes
  readonly chunksAtOnce: number
}

export const wishLists: fc.Arbitrary<Wishes> = fc.array(
  fc.record({
    most: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant(Number.POSITIVE_INFINITY)),
    isWhole: fc.boolean()
  }),
  { minLength: 1, maxLength: 6 }
)

export const askers: fc.Arbitrary<Asking> = fc.record({
  wishes: wishLists,
  chunksAtOnce: fc.integer({ min: 1, max: 3 })
})
