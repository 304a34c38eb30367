/**
 * The generator `mulberry32/1`: each call gives the next unsigned 32-bit integer.
 *
 * **Takes** a seed from 0 to 2^32 - 1
 * **Source** fault-server.md, section 5.2
 *
 * @since 0.1.0
 * @category kernel
 */
export const mulberry32 = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    const a = Math.imul(state ^ (state >>> 15), state | 1)
    const b = a ^ (a + Math.imul(a ^ (a >>> 7), a | 61))
    return (b ^ (b >>> 14)) >>> 0
  }
}
