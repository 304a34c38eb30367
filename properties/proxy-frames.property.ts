import fc from "fast-check"
import { expect, test } from "vitest"
import { openFraming } from "../src/proxy/framing/open-framing.ts"
import type { FramePart, FrameReader, FrameWish } from "../src/wire/frames/frame-reader.ts"
import {
  askers,
  cutters,
  framedBodies,
  framedBytesMax,
  headedFramings,
  joined,
  writtenFramings
} from "./arbitraries/framed-streams.ts"
import { checkProperty } from "./check.ts"

/** A part, how it was asked for, and what the reader said behind it. */
interface SeenPart {
  readonly part: FramePart
  readonly wish: FrameWish
  readonly wasInFrame: boolean
  readonly isInFrame: boolean
  readonly heldBytes: number
  readonly fedBytes: number
}

interface Asking {
  readonly wishes: ReadonlyArray<FrameWish>
  readonly chunksAtOnce: number
}

const readAll = (reader: FrameReader, chunks: ReadonlyArray<Uint8Array>, { wishes, chunksAtOnce }: Asking) => {
  const seen: Array<SeenPart> = []
  let fedBytes = 0
  let asked = 0
  const ask = (): FramePart | null => {
    const wish = wishes[asked++ % wishes.length] ?? { most: 1, isWhole: false }
    const wasInFrame = reader.isInFrame()
    const part = reader.next(wish)
    if (part !== null)
      seen.push({ part, wish, wasInFrame, isInFrame: reader.isInFrame(), heldBytes: reader.heldBytes(), fedBytes })
    return part
  }
  for (const [place, chunk] of chunks.entries()) {
    reader.feed(chunk)
    fedBytes += chunk.length
    if ((place + 1) % chunksAtOnce === 0) while (ask() !== null);
  }
  while (ask() !== null);
  return seen
}

const placed = (lengths: ReadonlyArray<{ readonly headerBytes: number; readonly totalBytes: number }>) => {
  let at = 0
  return lengths.map((frame) => {
    at += frame.totalBytes
    return { at, ...frame, kind: null }
  })
}

test("X2. frames end where they were written to end, however the bytes are cut and whatever is asked for", () => {
  const streams = fc.tuple(writtenFramings, framedBodies, cutters, askers, fc.nat(400))
  const property = fc.property(streams, ([framing, bodies, cut, asking, part]) => {
    const frames = bodies.map(framing.write)
    const unfinished = framing.write(new Uint8Array(90))
    const tail = unfinished.subarray(0, part % unfinished.length)
    const bytes = joined([...frames, tail])
    const headerBytes = (body: Uint8Array): number => framing.header(body.length).length
    const ends = placed(
      frames.map(({ length }, index) => ({ headerBytes: headerBytes(bodies[index] ?? tail), totalBytes: length }))
    )
    const starts = new Set([0, ...ends.map(({ at }) => at)])
    const reader = openFraming(framing.choice(framedBytesMax)).open().clientToLeader

    const seen = readAll(reader, cut(bytes), asking)
    const openBytes = reader.openBytes()
    const rest = reader.end()

    expect(joined([...seen.map((one) => one.part.bytes), ...(rest === null ? [] : [rest.bytes])])).toEqual(bytes)
    expect(openBytes).toBe(tail.length)
    expect(reader.failure()).toBeNull()
    expect(reader.end()).toBeNull()
    let from = 0
    for (const { part, wish, wasInFrame, isInFrame, heldBytes, fedBytes } of seen) {
      const to = from + part.bytes.length
      const inPart = ends.filter(({ at }) => at > from && at <= to)
      expect(part.frames).toBe(inPart.length)
      expect(part.frames).toBeLessThanOrEqual(wish.most)
      const last = ends.find(({ at }) => at === to)
      expect(part.last).toEqual(last === undefined ? null : (({ at, ...shape }) => shape)(last))
      expect(part.isWhole).toBe(starts.has(from) && starts.has(to) && inPart.length === 1)
      expect(wasInFrame).toBe(!starts.has(from))
      expect(isInFrame).toBe(!starts.has(to))
      if (wish.isWhole && !wasInFrame) expect(last).toBeDefined()
      expect(heldBytes).toBe(fedBytes - to)
      from = to
    }
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
