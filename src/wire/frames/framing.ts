/** Why a stream cannot go on: it is no sequence of frames from here, or a frame is longer than the limit. */
export interface FrameProblem {
  readonly reason: "too long" | "bad header"
  readonly message: string
}

/** Where a frame ends in the chunk that was scanned (the offset behind its last byte), and how long it is. */
export interface FrameEnd {
  readonly at: number
  readonly headerBytes: number
  readonly totalBytes: number
}

/** What a chunk completed, in order. After a `failure` every chunk gives the same failure and no frame. */
export interface ScannedPiece {
  readonly ends: ReadonlyArray<FrameEnd>
  readonly failure: FrameProblem | null
}

/** The frame that is not complete: its bytes so far; what it will have, and its header, null until the header is there. */
export interface OpenFrame {
  readonly bytes: number
  readonly totalBytes: number | null
  readonly headerBytes: number | null
}

/**
 * Finds the frames of a stream, wherever the bytes are cut on their way. It keeps no bodies: it counts.
 *
 * @since 0.1.0
 * @category encoding
 */
export interface FrameScanner {
  scan(chunk: Uint8Array): ScannedPiece
  open(): OpenFrame
}

/**
 * Reads headers of frames. `take` gives where it has read to, and leaves in `bodyBytes` the length of the body when the
 * header is complete with that byte, else null. A header that is refused stands in `failure`.
 */
export interface HeaderReader {
  bodyBytes: number | null
  failure: FrameProblem | null
  take(chunk: Uint8Array, from: number): number
}

/**
 * A scanner of frames that say in a header how long their body is.
 *
 * @since 0.1.0
 * @category constructors
 */
export const headedScanner = (reader: HeaderReader, bodyBytesMax: number): FrameScanner => {
  let headerBytes = 0
  let bodyHeld = 0
  return {
    scan(chunk) {
      const ends: Array<FrameEnd> = []
      let at = 0
      while (reader.failure === null && at < chunk.length) {
        if (reader.bodyBytes === null) {
          const from = at
          at = reader.take(chunk, from)
          headerBytes += at - from
          if (reader.bodyBytes === null) continue
          reader.failure = tooLong("the body of a frame", reader.bodyBytes, bodyBytesMax)
          if (reader.failure !== null) break
        }
        const taken = Math.min(reader.bodyBytes - bodyHeld, chunk.length - at)
        at += taken
        bodyHeld += taken
        if (bodyHeld < reader.bodyBytes) continue
        ends.push({ at, headerBytes, totalBytes: headerBytes + bodyHeld })
        headerBytes = 0
        bodyHeld = 0
        reader.bodyBytes = null
      }
      return { ends, failure: reader.failure }
    },
    open: () => ({
      bytes: headerBytes + bodyHeld,
      totalBytes: reader.bodyBytes === null ? null : headerBytes + reader.bodyBytes,
      headerBytes: reader.bodyBytes === null ? null : headerBytes
    })
  }
}

/** The problem of a length over the limit, or null. */
export const tooLong = (what: string, bytes: number, bytesMax: number): FrameProblem | null =>
  bytes <= bytesMax
    ? null
    : { reason: "too long", message: `${what} has ${bytes} bytes; at most ${bytesMax} are allowed` }
