import fc from "fast-check"
import { expect, test } from "vitest"
import { openFraming } from "../src/proxy/framing/open-framing.ts"
import type { FrameReader } from "../src/wire/frames/frame-reader.ts"
import {
  type Asking,
  askers,
  cutters,
  framedStreams,
  headedFramings,
  joined,
  writtenFramings
} from "./arbitraries/framed-streams.ts"
import { checkProperty } from "./check.ts"
import { expectedFacts, factsOf, placed, unwished, visitReader } from "./observation/frame-reading.ts"

const readAll = (reader: FrameReader, chunks: ReadonlyArray<Uint8Array>, { wishes, chunksAtOnce }: Asking) => {
  const visitor = visitReader(reader, wishes)
  for (const [place, chunk] of chunks.entries()) {
    visitor.feed(chunk)
    if ((place + 1) % chunksAtOnce === 0) visitor.drain()
  }
  visitor.drain()
  return visitor.seen
}

// One of these properties or more was seen to fail on each of these bugs, planted one at a time: bytes of a frame are given before its header
// is complete; a frame that goes on in pieces takes the beginning of the next along, which was wanted whole; `isInFrame` is not taken
// back; what has been read of a chunk counts as held; frames before one that is refused are lost; a piece of that one is given; the end of a
// frame that began before is a whole frame; one frame more than wished for is passed over; a prefix that counts itself is read as one that
// does not; a frame above the limit is passed over; a body of the limit is refused; a little-endian prefix has a wrong weight, or is read
// as big-endian where frames are passed over; an empty body waits for the next chunk; the length of the last frame of a run is that of one
// before; what is held of a line is forgotten with its chunk; the name of a header is read with its case; CRLF alone is no empty line; digits of
// a usual header have a wrong weight.
test("X2. frames end where they were written to end, however the bytes are cut and whatever is asked for", () => {
  const streams = fc.tuple(framedStreams(writtenFramings), cutters, askers, fc.nat(400))
  const property = fc.property(streams, ([{ framing, bodies, frames }, cut, asking, part]) => {
    const unfinished = framing.write(new Uint8Array(90))
    const tail = unfinished.subarray(0, part % unfinished.length)
    const bytes = joined([...frames, tail])
    const reader = openFraming(framing.choice(framing.bytesMax)).open().clientToLeader

    const seen = readAll(reader, cut(bytes), asking)
    const openBytes = reader.openBytes()
    const rest = reader.end()

    const shapes = bodies.map((body, index) => ({
      headerBytes: framing.header(body.length).length,
      totalBytes: frames[index]?.length ?? 0,
      kind: null
    }))
    expect(joined([...seen.map(({ part }) => part.bytes), rest?.bytes ?? new Uint8Array()])).toEqual(bytes)
    expect(factsOf(seen)).toEqual(expectedFacts(seen, placed(shapes)))
    expect(unwished(seen)).toEqual([])
    expect(openBytes).toBe(tail.length)
    expect(reader.failure()).toBeNull()
    expect(reader.end()).toBeNull()
  })
  checkProperty("X2 frames", property)
})

test("X13. a body of the limit passes, and one byte more fails with the last byte of its header", () => {
  const property = fc.property(headedFramings, fc.nat(200), cutters, askers, (framing, limit, cut, asking) => {
    const fitting = framing.write(new Uint8Array(limit))
    const header = framing.header(limit + 1)
    const reader = openFraming(framing.choice(limit)).open().clientToLeader

    const before = readAll(reader, cut(fitting), asking)
    expect(before.reduce((sum, { part }) => sum + part.frames, 0)).toBe(1)
    expect(readAll(reader, cut(header.subarray(0, -1)), asking)).toEqual([])
    expect(reader.failure()).toBeNull()
    expect(reader.heldBytes()).toBe(header.length - 1)
    expect(readAll(reader, [header.subarray(-1)], asking)).toEqual([])
    expect(reader.failure()?.reason).toBe("too long")
    expect(readAll(reader, [fitting], asking)).toEqual([])
    expect(reader.end()).toBeNull()
    expect(reader.heldBytes()).toBe(0)
  })
  checkProperty("X13 the limit of a body", property)
})

test("X13. frames before one that is refused are given, and nothing of that one, whatever comes with it", () => {
  const streams = fc.tuple(framedStreams(headedFramings), cutters, askers)
  const property = fc.property(streams, ([{ framing, bodies, frames }, cut, asking]) => {
    const refused = framing.write(new Uint8Array(framing.bytesMax + 1))
    const reader = openFraming(framing.choice(framing.bytesMax)).open().clientToLeader

    const seen = readAll(reader, cut(joined([...frames, refused, ...frames])), asking)

    expect(joined(seen.map(({ part }) => part.bytes))).toEqual(joined(frames))
    expect(seen.reduce((sum, { part }) => sum + part.frames, 0)).toBe(bodies.length)
    expect(reader.failure()?.reason).toBe("too long")
    expect(reader.end()).toBeNull()
    expect(reader.heldBytes()).toBe(0)
  })
  checkProperty("X13 a frame that is refused", property)
})
