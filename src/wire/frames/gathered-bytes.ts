/** Pieces that become one. */
export interface GatheredBytes {
  bytes(): number
  /** Takes a copy of a piece. `totalBytes` are those that there will be in the end; `null` where nobody knows. */
  add(piece: Uint8Array, totalBytes: number | null): void
  /** Gives what has been gathered, and begins anew. */
  take(): Uint8Array
}

/** The memory begins so large. */
const memoryBytesMin = 1_024

/**
 * Gathers pieces. The memory doubles: everything is copied twice at most, however small the pieces, and none is reserved that nobody
 * sends, nor more than there will be.
 *
 * @since 0.1.0
 * @category encoding
 */
export const gatheredBytes = (): GatheredBytes => {
  let memory = new Uint8Array()
  let held = 0
  const makeRoom = (bytes: number, totalBytes: number): void => {
    if (bytes <= memory.length) return
    const larger = new Uint8Array(Math.min(totalBytes, Math.max(bytes, 2 * memory.length, memoryBytesMin)))
    larger.set(memory.subarray(0, held))
    memory = larger
  }
  return {
    bytes: () => held,
    add(piece, totalBytes) {
      makeRoom(held + piece.length, totalBytes ?? Number.POSITIVE_INFINITY)
      memory.set(piece, held)
      held += piece.length
    },
    take() {
      const taken = memory.subarray(0, held)
      memory = new Uint8Array()
      held = 0
      return taken
    }
  }
}
