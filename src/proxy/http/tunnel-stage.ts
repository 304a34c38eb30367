import { type HttpStage, looseBytes, wholeFrame } from "./http-stage.ts"

/**
 * What follows 101, or a CONNECT that was granted: every chunk is a frame, as in the framing `opaque`.
 *
 * **Takes** bytes that were read before this was known
 *
 * @since 0.1.0
 * @category constructors
 */
export const tunnelStage = (begun: Uint8Array): HttpStage => {
  let held: Uint8Array = begun
  return {
    isBetween: false,
    take(chunk, from) {
      held = chunk.subarray(from)
      return chunk.length
    },
    give() {
      if (held.length === 0) return null
      const bytes = held
      held = new Uint8Array()
      return wholeFrame(bytes, "data", 0)
    },
    following: () => null,
    problem: () => null,
    close() {},
    end: () => looseBytes(held),
    isInFrame: () => false,
    openBytes: () => 0,
    heldBytes: () => held.length
  }
}
