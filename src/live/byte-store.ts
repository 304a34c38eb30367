/**
 * Bytes that come in chunks. However small those are, it takes about twice the memory of what came.
 *
 * @since 0.1.0
 * @category models
 */
export interface ByteStore {
  add(chunk: Buffer): void
  /** All of it; the store is done. */
  take(): Uint8Array
  length(): number
}

/** Where growing begins. */
const grownBytesMin = 16 * 1024

/** @since 0.1.0 @category constructors */
export const makeByteStore = (): ByteStore => {
  // A body that comes in one chunk, as most do, is not copied.
  let only: Buffer | null = null
  let grown: Buffer | null = null
  let length = 0
  const grow = (chunk: Buffer): void => {
    const needed = length + chunk.length
    if (grown === null || needed > grown.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(grownBytesMin, needed, (grown?.length ?? 0) * 2))
      ;(grown ?? only)?.copy(larger, 0, 0, length)
      grown = larger
      only = null
    }
    chunk.copy(grown, length)
  }
  return {
    add(chunk) {
      if (length === 0) only = chunk
      else grow(chunk)
      length += chunk.length
    },
    take: () => only ?? grown?.subarray(0, length) ?? new Uint8Array(),
    length: () => length
  }
}
