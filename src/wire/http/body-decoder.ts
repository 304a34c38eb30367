/**
 * Finds the bytes of a body, and its end.
 *
 * @since 0.1.0
 * @category models
 */
export interface BodyDecoder {
  /** Reads on in a chunk of the stream; `found` is called with what belongs to the body. Gives the offset behind it. */
  take(chunk: Uint8Array, from: number, found: (bytes: Uint8Array) => void): number
  isComplete(): boolean
  problem(): string | null
  /** What has been read behind the last byte of the body, and ends it; given once. */
  end(): Uint8Array
}

/**
 * A decoder of a body that comes as it is: of so many bytes, or with `null` of all up to the end of the connection.
 *
 * @since 0.1.0
 * @category constructors
 */
export const plainDecoder = (bytes: number | null): BodyDecoder => {
  let left = bytes ?? Number.POSITIVE_INFINITY
  return {
    take(chunk, from, found) {
      const data = chunk.subarray(from, Math.min(chunk.length, from + left))
      left -= data.length
      if (data.length > 0) found(data)
      return from + data.length
    },
    isComplete: () => left === 0,
    problem: () => null,
    end: () => new Uint8Array()
  }
}
