/**
 * Bytes of its own memory, from one offset to another. `slice` is none of it: that of a `Buffer`, which sockets and callers give, is a view of
 * the same memory.
 *
 * @since 0.1.0
 * @category encoding
 */
export const copiedBytes = (bytes: Uint8Array, from = 0, to = bytes.length): Uint8Array<ArrayBuffer> =>
  new Uint8Array(bytes.subarray(from, to))
