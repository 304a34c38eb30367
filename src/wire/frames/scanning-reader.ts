import type { FramePart, FrameReader, FrameWish } from "./frame-reader.ts"
import type { FrameScanner } from "./framing.ts"
import { gatheredBytes } from "./gathered-bytes.ts"

/**
 * A reader of the frames that a scanner finds. A frame within one chunk, and every run, is a view of the chunk; of a frame in more
 * chunks a copy grows. No byte of a frame is given before its header is complete: one that is refused for what it says there has
 * not been given in part.
 *
 * **Takes** how the content of a whole frame is decoded; by default there is none
 *
 * @since 0.1.0
 * @category constructors
 */
export const scanningReader = (
  scanner: FrameScanner,
  content: (part: FramePart) => unknown = () => undefined
): FrameReader => {
  let chunks: Array<Uint8Array> = []
  /** What has been read of the first chunk. */
  let at = 0
  const gathered = gatheredBytes()
  let isInFrame = false

  /** Reads on in the first chunk. Gives null when all that was read is kept, or goes no further. */
  const read = (chunk: Uint8Array, { most, isWhole }: FrameWish): FramePart | null => {
    const from = at
    const isJoined = gathered.bytes() > 0
    at = scanner.advance(chunk, from, isJoined ? 1 : most)
    const { frames, endedAt, failure } = scanner
    const isPieceWanted = !isWhole || (isInFrame && frames === 0)
    const isOpenGiven = failure === null && at > endedAt && isPieceWanted && scanner.isHeaderComplete
    const end = isOpenGiven ? at : endedAt
    const given = isJoined && end > from ? joined(chunk.subarray(from, end)) : chunk.subarray(from, end)
    if (failure !== null) forget()
    else {
      if (end < at) gathered.add(chunk.subarray(end, at), scanner.openTotalBytes)
      if (at === chunk.length) leaveChunk()
    }
    if (given.length === 0) return null
    isInFrame = isOpenGiven
    return partOf(given, { frames, isEnd: !isOpenGiven })
  }

  const leaveChunk = (): void => {
    chunks.shift()
    at = 0
  }

  const forget = (): void => {
    gathered.take()
    chunks = []
    at = 0
  }

  const joined = (piece: Uint8Array): Uint8Array => {
    gathered.add(piece, gathered.bytes() + piece.length)
    return gathered.take()
  }

  const partOf = (bytes: Uint8Array, { frames, isEnd }: { readonly frames: number; readonly isEnd: boolean }) => {
    const { headerBytes, totalBytes, kind } = scanner
    return {
      bytes,
      frames,
      last: isEnd ? { headerBytes, totalBytes, kind } : null,
      isWhole: isEnd && frames === 1 && bytes.length === totalBytes,
      envelope: null
    }
  }

  return {
    feed(chunk) {
      if (chunk.length > 0 && scanner.failure === null) chunks.push(chunk)
    },
    next(wish) {
      // Its frame was wanted whole before, or its header has just become complete.
      if (!wish.isWhole && scanner.isHeaderComplete && gathered.bytes() > 0) {
        isInFrame = true
        return partOf(gathered.take(), { frames: 0, isEnd: false })
      }
      for (let [chunk] = chunks; chunk !== undefined; [chunk] = chunks) {
        const part = read(chunk, wish)
        if (part !== null) return part
      }
      return null
    },
    end() {
      if (gathered.bytes() === 0 && chunks.length === 0) return null
      for (let [chunk] = chunks; chunk !== undefined; [chunk] = chunks) {
        gathered.add(chunk.subarray(at), null)
        leaveChunk()
      }
      return partOf(gathered.take(), { frames: 0, isEnd: false })
    },
    failure: () => scanner.failure,
    isInFrame: () => isInFrame,
    heldBytes: () => gathered.bytes() + chunks.reduce((sum, { length }) => sum + length, -at),
    openBytes: () => scanner.openBytes,
    content: (part) => (part.isWhole ? content(part) : undefined)
  }
}
