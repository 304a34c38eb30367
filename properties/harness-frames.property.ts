import fc from "fast-check"
import { expect, test } from "vitest"
import { encodeFrame, frameBodyBytesMax, frameDecoder } from "../src/wire/frames/length-prefixed.ts"
import { cutAt } from "./arbitraries/acp-lines.ts"
import { checkProperty } from "./check.ts"

const bodies = fc.array(
  fc.oneof(fc.uint8Array({ maxLength: 12 }), fc.uint8Array({ minLength: 250, maxLength: 1_600, size: "max" })),
  {
    maxLength: 6
  }
)

/** Evenly, as doubles would not be. */
const cuts = fc.array(
  fc.nat(1_000).map((share) => share / 1_000),
  { maxLength: 12 }
)

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

const joined = (parts: ReadonlyArray<Uint8Array>): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]))

// Seen to fail on these bugs, planted one at a time: a prefix that comes in two pieces is begun anew; a body without bytes at the end of a
// piece waits for the next piece; what is held of a body is lost when its memory grows; a body of the greatest length is refused; the length
// is read from its other end.
test("L6. the bodies of frames come out as they went in, wherever the bytes are cut", () => {
  const property = fc.property(bodies, cuts, fc.uint8Array({ maxLength: 3 }), (sent, places, tail) => {
    const bytes = joined([...sent.map(encodeFrame), tail])
    const decoder = frameDecoder({ bodyBytesMax: Math.max(0, ...sent.map(({ length }) => length)) })

    const read = cutAt(bytes, places).flatMap((piece) => {
      const { bodies, failure } = decoder.push(piece)
      expect(failure).toBeNull()
      return bodies
    })

    expect(read.map(hex)).toEqual(sent.map(hex))
    expect(decoder.heldBytes()).toBe(tail.length)
  })
  checkProperty("frames", property, { runs: 300 })
})

// Seen to fail when a length of one byte more is let pass, when the length is read as signed, and when what comes behind the prefix is
// taken.
test("L6. a length over the limit fails with its prefix, behind the frames that came before", () => {
  const over = fc.oneof(
    fc.integer({ min: frameBodyBytesMax + 1, max: 0xffff_ffff }),
    fc.constantFrom(frameBodyBytesMax + 1, 0x8000_0000, 0xffff_ffff)
  )
  const property = fc.property(bodies, over, fc.uint8Array(), cuts, (sent, length, rest, places) => {
    const prefix = new Uint8Array(4)
    new DataView(prefix.buffer).setUint32(0, length)
    const good = joined(sent.map(encodeFrame))
    const decoder = frameDecoder()
    const read: Array<Uint8Array> = []
    let pushed = 0

    for (const piece of cutAt(joined([good, prefix, rest]), places)) {
      const { bodies, failure } = decoder.push(piece)
      pushed += piece.length
      read.push(...bodies)
      if (pushed < good.length + 4) expect(failure).toBeNull()
      else expect(failure).toMatchObject({ _tag: "FrameTooLarge", limit: frameBodyBytesMax, length })
    }

    expect(read.map(hex)).toEqual(sent.map(hex))
    expect(decoder.heldBytes()).toBe(4)
  })
  checkProperty("frames that are too long", property, { runs: 200 })
})
