import { FrameTooLarge } from "../../domain/harness-errors.ts"
import { gatheredBytes } from "./gathered-bytes.ts"

/** The body of a frame may have so many bytes. */
export const frameBodyBytesMax = 67_108_864

/** The length of the body, unsigned and big-endian. */
export const framePrefixBytes = 4

/** What a piece of a stream completed. With a `failure` nothing follows: what the stream goes on with is no frame. */
export interface DecodedFrames {
  /** The bodies, which may be views of the piece. */
  readonly bodies: ReadonlyArray<Uint8Array>
  readonly failure: FrameTooLarge | null
}

/**
 * Finds the frames of a stream of bytes, wherever the bytes are cut on their way.
 *
 * @since 0.1.0
 * @category encoding
 */
export interface FrameDecoder {
  push(chunk: Uint8Array): DecodedFrames
  /** How many bytes of a frame are there that is not complete, its prefix included. */
  heldBytes(): number
}

/**
 * A decoder of frames: four bytes that say how long a body is, and the body.
 *
 * **Takes** `bodyBytesMax`: the longest body. A longer one fails as soon as its prefix is there, and nothing of it is taken
 * **Source** agent-harness.md, section 5.1
 *
 * @since 0.1.0
 * @category constructors
 */
export const frameDecoder = ({ bodyBytesMax = frameBodyBytesMax } = {}): FrameDecoder => {
  const prefix = new DataView(new ArrayBuffer(framePrefixBytes))
  let prefixHeld = 0
  let body: GrowingBody | null = null
  let failure: FrameTooLarge | null = null

  /** Takes of the prefix what is there. Gives where it has read to. */
  const takePrefix = (chunk: Uint8Array, from: number): number => {
    let at = from
    while (prefixHeld < framePrefixBytes && at < chunk.length) prefix.setUint8(prefixHeld++, chunk[at++] ?? 0)
    if (prefixHeld < framePrefixBytes) return at
    const length = prefix.getUint32(0)
    if (length > bodyBytesMax) failure = new FrameTooLarge("the body of a frame", { limit: bodyBytesMax, length })
    else body = growingBody(length)
    return at
  }

  return {
    push(chunk) {
      const bodies: Array<Uint8Array> = []
      let at = 0
      // A body without bytes is complete when nothing is left to read.
      while (failure === null && (at < chunk.length || body?.missing() === 0)) {
        if (body === null) at = takePrefix(chunk, at)
        else {
          const end = Math.min(chunk.length, at + body.missing())
          const whole = body.take(chunk.subarray(at, end))
          at = end
          if (whole === null) continue
          bodies.push(whole)
          body = null
          prefixHeld = 0
        }
      }
      return { bodies, failure }
    },
    heldBytes: () => prefixHeld + (body?.held() ?? 0)
  }
}

/** A body of which pieces come. */
interface GrowingBody {
  missing(): number
  held(): number
  /** Takes a piece that is no longer than what is missing; gives the body when that was the last. */
  take(piece: Uint8Array): Uint8Array | null
}

const growingBody = (length: number): GrowingBody => {
  const gathered = gatheredBytes()
  return {
    missing: () => length - gathered.bytes(),
    held: () => gathered.bytes(),
    take(piece) {
      if (piece.length === length) return piece
      gathered.add(piece, length)
      return gathered.bytes() === length ? gathered.take() : null
    }
  }
}

/**
 * A frame: its prefix and its body.
 *
 * **Fails** with `FrameTooLarge`
 * **Source** agent-harness.md, section 5.1
 *
 * @since 0.1.0
 * @category encoding
 */
export const encodeFrame = (body: Uint8Array): Uint8Array => {
  const { length } = body
  if (length > frameBodyBytesMax) {
    throw new FrameTooLarge("the body of a frame", { limit: frameBodyBytesMax, length })
  }
  const frame = new Uint8Array(framePrefixBytes + length)
  new DataView(frame.buffer).setUint32(0, length)
  frame.set(body, framePrefixBytes)
  return frame
}
