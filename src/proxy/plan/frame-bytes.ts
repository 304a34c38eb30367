import { copiedBytes } from "../../domain/copied-bytes.ts"
import type { RewriteLength } from "./plan-frame.ts"

/** A frame on its way through transformations: the header is as long as it was, the body may be cut. */
export interface FrameBytes {
  readonly bytes: Uint8Array
  readonly headerBytes: number
}

/** Combines one byte with `xor`. Below 0 the offset counts from the end; outside the frame nothing changes. */
export const corrupt = (
  frame: FrameBytes,
  { offset, xor }: { readonly offset: number; readonly xor: number }
): FrameBytes => {
  const at = offset < 0 ? frame.bytes.length + offset : offset
  const byte = frame.bytes[at]
  if (byte === undefined) return frame
  const bytes = copiedBytes(frame.bytes)
  bytes[at] = byte ^ xor
  return { ...frame, bytes }
}

/** Keeps the header and the first `keep` bytes of the body. */
export const truncateBody = (frame: FrameBytes, keep: number): FrameBytes =>
  keep >= frame.bytes.length - frame.headerBytes
    ? frame
    : { ...frame, bytes: copiedBytes(frame.bytes, 0, frame.headerBytes + keep) }

/** Writes another length into the header. */
export const badLength = (frame: FrameBytes, value: number, rewrite: RewriteLength): FrameBytes => {
  const { bytes, headerBytes } = frame
  const header = rewrite(copiedBytes(bytes, 0, headerBytes), value)
  const changed = new Uint8Array(header.length + bytes.length - headerBytes)
  changed.set(header)
  changed.set(bytes.subarray(headerBytes), header.length)
  return { bytes: changed, headerBytes: header.length }
}

/**
 * Cuts bytes into pieces of these sizes; the last size is repeated until they are used up. Made one by one: there may be millions.
 */
export function* splitPieces(bytes: Uint8Array, chunkSizes: ReadonlyArray<number>): Generator<Uint8Array, void> {
  let size = Number.POSITIVE_INFINITY
  let place = 0
  for (let from = 0; from < bytes.length; from += size) {
    size = chunkSizes[place++] ?? size
    yield bytes.subarray(from, Math.min(bytes.length, from + size))
  }
}

/** When byte number `count` of a throttled stretch may have been written, in ms from the start of the stretch; a fraction is kept. */
export const throttledMs = (count: number, bytesPerSecond: number): number => (count * 1_000) / bytesPerSecond

/** Less than any clock tells apart, and more than sums of fractions are wrong by. */
const tinyMs = 1e-6

/** So many milliseconds for a timer: rounded up, as none may be too early; none for what is over. */
export const wholeMs = (ms: number): number => Math.max(0, Math.ceil(ms - tinyMs))

/** How many bytes a throttled stretch writes at once: those of 10 ms, at least one. */
export const throttledBytes = (bytesPerSecond: number): number => Math.max(1, Math.floor(bytesPerSecond / 100))
