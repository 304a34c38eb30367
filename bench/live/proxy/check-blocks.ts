import { frameBlocks } from "./frame-blocks.ts"

/** Compares what arrives with what was sent, every byte of it. */
export interface BlockCheck {
  /** Where the first byte was that is wrong; `null` while all are right. */
  readonly wrongAt: () => number | null
  readonly bytes: () => number
  take(bytes: Uint8Array): void
}

export const checkBlocks = (bodyBytes: number): BlockCheck => {
  const blocks = frameBlocks(bodyBytes)
  const expected = blocks.make()
  let number = 0
  let at = 0
  let bytesBefore = 0
  let wrongAt: number | null = null
  blocks.number(expected, number)
  return {
    wrongAt: () => wrongAt,
    bytes: () => bytesBefore,
    take(bytes) {
      for (let from = 0; from < bytes.length; ) {
        const length = Math.min(bytes.length - from, expected.length - at)
        if (expected.compare(bytes, from, from + length, at, at + length) !== 0)
          wrongAt ??= bytesBefore + from + firstDifferent(bytes.subarray(from), expected.subarray(at))
        from += length
        at += length
        if (at < expected.length) continue
        at = 0
        blocks.number(expected, ++number)
      }
      bytesBefore += bytes.length
    }
  }
}

const firstDifferent = (some: Uint8Array, others: Uint8Array): number =>
  some.findIndex((byte, place) => byte !== others[place])
