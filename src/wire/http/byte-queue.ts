/** Bytes that wait, the first ones first. */
export interface ByteQueue {
  bytes(): number
  /** Takes a piece, which is not changed any more. */
  push(piece: Uint8Array): void
  /** Gives so many bytes, or all where there are fewer. */
  take(bytes: number): Uint8Array
}

/**
 * A queue that copies nothing while it holds one piece, and everything about twice where it holds many, however small they are.
 *
 * @since 0.1.0
 * @category encoding
 */
export const makeByteQueue = (): ByteQueue => {
  let memory: Uint8Array = new Uint8Array()
  let from = 0
  let to = 0
  const bytes = (): number => to - from

  /** Bytes are put behind `to` alone: what was given out stands in the same memory, and a piece that was taken as it is fills it. */
  const makeRoom = (more: number): void => {
    if (to + more <= memory.length) return
    const larger = new Uint8Array(Math.max(bytes() + more, 2 * bytes(), memoryBytesMin))
    larger.set(memory.subarray(from, to))
    memory = larger
    to -= from
    from = 0
  }

  return {
    bytes,
    push(piece) {
      if (piece.length === 0) return
      if (bytes() === 0) {
        memory = piece
        from = 0
        to = piece.length
        return
      }
      makeRoom(piece.length)
      memory.set(piece, to)
      to += piece.length
    },
    take(count) {
      const taken = memory.subarray(from, Math.min(to, from + count))
      from += taken.length
      if (bytes() > 0) return taken
      memory = new Uint8Array()
      from = 0
      to = 0
      return taken
    }
  }
}

const memoryBytesMin = 1_024
