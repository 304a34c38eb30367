import type { FrameScanner } from "./framing.ts"

/**
 * A scanner that takes every chunk for a frame: where frames end says nothing but how the bytes arrived.
 *
 * **Source** agent-harness.md, section 6.2
 *
 * @since 0.1.0
 * @category constructors
 */
export const opaqueScanner = (): FrameScanner => ({
  scan: ({ length }) => ({
    ends: length === 0 ? [] : [{ at: length, headerBytes: 0, totalBytes: length }],
    failure: null
  }),
  open: () => ({ bytes: 0, totalBytes: null, headerBytes: null })
})
