import { makeFifo } from "../../domain/fifo.ts"

/** A line without its end, or that there was one which is longer than is read. */
export type RequestLine =
  | { readonly kind: "line"; readonly bytes: Uint8Array }
  | { readonly kind: "too long"; readonly bytesMax: number }

/**
 * Lines of a stream of bytes, cut off one by one as somebody asks for them. A line that is too long is told as soon as it is, passed
 * over, and the next one is read again.
 *
 * @since 0.1.0
 * @category models
 */
export interface RequestLines {
  push(chunk: Uint8Array): void
  /** The stream has ended: what stands behind its last LF is a line as well. */
  end(): void
  /** `null` when no further line is complete. */
  next(): RequestLine | null
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** **Takes** `bytesMax`: the longest line, its end not counted @since 0.1.0 @category constructors */
export const makeRequestLines = (bytesMax: number): RequestLines => {
  const chunks = makeFifo<Uint8Array>()
  let parts: Array<Uint8Array> = []
  let heldBytes = 0
  let isPassedOver = false
  let hasEnded = false
  // How much of the first chunk is read.
  let from = 0

  const forget = (): void => {
    parts = []
    heldBytes = 0
  }
  const taken = (): RequestLine => {
    const bytes = joined(parts, heldBytes)
    forget()
    return { kind: "line", bytes: bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes }
  }
  const next = (): RequestLine | null => {
    for (let chunk = chunks.peek(); chunk !== undefined; chunk = chunks.peek()) {
      const at = chunk.indexOf(lineFeed, from)
      const piece = chunk.subarray(from, at < 0 ? chunk.length : at)
      from = at < 0 ? chunk.length : at + 1
      if (from === chunk.length) {
        chunks.shift()
        from = 0
      }
      const wasPassedOver = isPassedOver
      isPassedOver = at < 0 && (wasPassedOver || heldBytes + piece.length > bytesMax)
      if (!wasPassedOver && heldBytes + piece.length > bytesMax) {
        forget()
        return { kind: "too long", bytesMax }
      }
      if (wasPassedOver) continue
      parts.push(piece)
      heldBytes += piece.length
      if (at >= 0) return taken()
    }
    return hasEnded && heldBytes > 0 ? taken() : null
  }
  return {
    push: (chunk) => {
      if (chunk.length > 0) chunks.push(chunk)
    },
    end: () => {
      hasEnded = true
    },
    next
  }
}

const joined = (parts: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
