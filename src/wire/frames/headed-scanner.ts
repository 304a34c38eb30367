import { type FrameProblem, type FrameScanner, tooLong } from "./framing.ts"

/** Stands in `bodyBytes` while a header is not complete. */
export const headerIncomplete = -1

/** Frames that were passed over at once. Written into, as one is needed for every chunk. */
export interface SkippedFrames {
  /** Those of them that count. */
  frames: number
  /** The offset behind the last of them; where it began, when none was passed over. */
  endedAt: number
  /** Of the last of them. */
  headerBytes: number
  totalBytes: number
}

/** Reads the headers of frames, one behind the other. What it has read stands in its fields. */
export interface HeaderReader {
  /** Reads on in a header, from an offset that is in the chunk. **Gives** the offset that it has read to. */
  take(chunk: Uint8Array, from: number): number
  /**
   * Passes over frames that lie in the chunk whole, the first at an offset, none with a body above the limit, until `most` of them
   * counted. It may leave any frame to `take`.
   */
  skip(chunk: Uint8Array, from: number, most: number): void
  readonly skipped: Readonly<SkippedFrames>
  /** The length of the body when the byte read last completed the header, else `headerIncomplete`. */
  readonly bodyBytes: number
  /** What kind of frame the header read last said it is. */
  readonly kind: string | null
  /** Whether the end of the frame counts as one. */
  readonly isCounted: boolean
  /** Why the header is refused. */
  readonly failure: FrameProblem | null
}

/**
 * A scanner of frames that say in a header how long their body is.
 *
 * @since 0.1.0
 * @category constructors
 */
export const headedScanner = (header: HeaderReader, bodyBytesMax: number): FrameScanner => {
  let headerBytes = 0
  /** Of the body of the open frame; `headerIncomplete` before its header is. */
  let bodyBytes = headerIncomplete
  let bodyMissing = 0
  let frames = 0
  let endedAt = 0
  let lastHeaderBytes = 0
  let lastTotalBytes = 0
  let lastKind: string | null = null
  let failure: FrameProblem | null = null

  /** Gives where the header goes on, or its body begins. */
  const takeHeader = (chunk: Uint8Array, from: number): number => {
    const at = header.take(chunk, from)
    headerBytes += at - from
    failure = header.failure
    if (failure !== null || header.bodyBytes === headerIncomplete) return at
    if (header.bodyBytes > bodyBytesMax) failure = tooLong("the body of a frame", header.bodyBytes, bodyBytesMax)
    bodyBytes = header.bodyBytes
    bodyMissing = bodyBytes
    return at
  }

  /** Gives the end of the open frame, or of the chunk. */
  const takeFrame = (chunk: Uint8Array, from: number): number => {
    const at = bodyBytes === headerIncomplete ? takeHeader(chunk, from) : from
    if (failure !== null || bodyBytes === headerIncomplete) return at
    const taken = Math.min(bodyMissing, chunk.length - at)
    bodyMissing -= taken
    if (bodyMissing > 0) return at + taken
    if (header.isCounted) frames++
    endedAt = at + taken
    lastHeaderBytes = headerBytes
    lastTotalBytes = headerBytes + bodyBytes
    lastKind = header.kind
    headerBytes = 0
    bodyBytes = headerIncomplete
    return endedAt
  }

  const skipFrames = (chunk: Uint8Array, from: number, most: number): number => {
    header.skip(chunk, from, most)
    const { skipped } = header
    if (skipped.endedAt === from) return from
    frames += skipped.frames
    endedAt = skipped.endedAt
    lastHeaderBytes = skipped.headerBytes
    lastTotalBytes = skipped.totalBytes
    lastKind = header.kind
    return endedAt
  }

  return {
    advance(chunk, from, most) {
      let at = from
      frames = 0
      endedAt = from
      while (at < chunk.length && frames < most && failure === null) {
        if (headerBytes === 0) at = skipFrames(chunk, at, most - frames)
        if (at < chunk.length && frames < most) at = takeFrame(chunk, at)
      }
      return at
    },
    get frames() {
      return frames
    },
    get endedAt() {
      return endedAt
    },
    get headerBytes() {
      return lastHeaderBytes
    },
    get totalBytes() {
      return lastTotalBytes
    },
    get kind() {
      return lastKind
    },
    get openBytes() {
      return headerBytes + (bodyBytes === headerIncomplete ? 0 : bodyBytes - bodyMissing)
    },
    get openTotalBytes() {
      return bodyBytes === headerIncomplete ? null : headerBytes + bodyBytes
    },
    get isHeaderComplete() {
      return bodyBytes !== headerIncomplete
    },
    get failure() {
      return failure
    }
  }
}
