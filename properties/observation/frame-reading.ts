import type { FramePart, FrameReader, FrameShape, FrameWish } from "../../src/wire/frames/frame-reader.ts"

/** A part, how it was asked for, and what the reader said behind it. */
export interface SeenPart {
  readonly part: FramePart
  readonly wish: FrameWish
  readonly wasInFrame: boolean
  readonly isInFrame: boolean
  readonly heldBytes: number
  readonly fedBytes: number
}

/** How much is wanted, one wish behind the other, over and over. */
export type Wishes = ReadonlyArray<FrameWish>

/** Who reads, and keeps what was seen. */
export interface FrameVisitor {
  feed(chunk: Uint8Array): void
  /** Asks until there is nothing more. */
  drain(): void
  readonly seen: ReadonlyArray<SeenPart>
}

export const visitReader = (reader: FrameReader, wishes: Wishes): FrameVisitor => {
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
  return {
    feed(chunk) {
      reader.feed(chunk)
      fedBytes += chunk.length
    },
    drain() {
      while (ask() !== null);
    },
    seen
  }
}

/** Where a frame ends in the stream, behind its last byte. */
export interface FrameEnd extends FrameShape {
  readonly at: number
}

/** Where frames of these shapes end, one behind the other, from an offset on. */
export const placed = (shapes: ReadonlyArray<FrameShape>, from = 0): ReadonlyArray<FrameEnd> => {
  let at = from
  return shapes.map((shape) => {
    at += shape.totalBytes
    return { at, ...shape }
  })
}

/** What the law says about a part. */
export interface PartFacts {
  readonly frames: number
  readonly last: FrameShape | null
  readonly isWhole: boolean
  readonly wasInFrame: boolean
  readonly isInFrame: boolean
  readonly heldBytes: number
}

/** What was seen of each part, in the order in which they were given. */
export const factsOf = (seen: ReadonlyArray<SeenPart>): ReadonlyArray<PartFacts> =>
  seen.map(({ part, wasInFrame, isInFrame, heldBytes }) => {
    const { frames, last, isWhole } = part
    return { frames, last, isWhole, wasInFrame, isInFrame, heldBytes }
  })

/** What must have been seen, when the parts are the stream in its order and frames follow one another from `firstAt` on. */
export const expectedFacts = (
  seen: ReadonlyArray<SeenPart>,
  ends: ReadonlyArray<FrameEnd>,
  firstAt = 0
): ReadonlyArray<PartFacts> => {
  const boundaries = new Set([0, firstAt, ...ends.map(({ at }) => at)])
  let to = 0
  return seen.map(({ part, fedBytes }) => {
    const from = to
    to += part.bytes.length
    const inside = ends.filter(({ at }) => at > from && at <= to)
    const last = inside.at(-1)
    const isEnd = last?.at === to
    return {
      frames: inside.length,
      last: isEnd ? { headerBytes: last.headerBytes, totalBytes: last.totalBytes, kind: last.kind } : null,
      isWhole: isEnd && inside.length === 1 && boundaries.has(from) && from >= firstAt,
      wasInFrame: !boundaries.has(from),
      isInFrame: !boundaries.has(to),
      heldBytes: fedBytes - to
    }
  })
}

/** Those parts that are not what was wished for: more frames, or a piece where a frame was wanted whole, and could be. */
export const unwished = (seen: ReadonlyArray<SeenPart>): ReadonlyArray<SeenPart> =>
  seen.filter(
    ({ part, wish, wasInFrame }) =>
      part.frames > wish.most || (wish.isWhole && part.last === null && (part.frames > 0 || !wasInFrame))
  )
