import type { Choice } from "../kernel/choice.ts"
import { type SegmentOptions, segmentsOf } from "./byte-pair.ts"
import type { LinkOptions } from "./link-conditions.ts"

/** Cuts what a server writes at once into what arrives apart; `null` where it stays whole. */
export type MessageCutter = (client: string, bytes: Uint8Array) => Iterable<Uint8Array>

/** In how many pieces; most answers stay whole. */
const counts = [1, 1, 2, 4, 8] as const

const newline = 0x0a

/**
 * A stream that is written at once is one piece for a network of messages, and no fault could fall inside of it. Where there
 * are faults that hit pieces it is cut behind a drawn number of its events, and anything else into as many equal parts, labelled
 * `net/NAME/pieces`; with `segmentBytesMax` as bytes are.
 *
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category constructors
 */
export const messageCutter = (choice: Choice, options: LinkOptions & SegmentOptions): MessageCutter | null => {
  const { faults = {}, segmentBytesMax } = options
  if (segmentBytesMax !== undefined)
    return (client, bytes) => segmentsOf(bytes, { segmentBytesMax, choice, label: `net/${client}/segment` })
  const { rst = 0, cut = 0, stall = 0, drop = 0 } = faults
  if (rst + cut + stall + drop === 0) return null
  return (client, bytes) => {
    if (bytes.byteLength < 2) return [bytes]
    const count = counts[choice.draw(counts.length, `net/${client}/pieces`)] ?? 1
    return count === 1 ? [bytes] : piecesOf(bytes, count)
  }
}

const piecesOf = (bytes: Uint8Array, count: number): ReadonlyArray<Uint8Array> => {
  const ends = eventEnds(bytes)
  const places =
    ends.length > 1
      ? ends
      : Array.from({ length: count }, (_, index) => Math.ceil((bytes.byteLength * (index + 1)) / count))
  const pieces: Array<Uint8Array> = []
  let from = 0
  for (let piece = 1; piece <= count; piece++) {
    const to = piece === count ? bytes.byteLength : (places[Math.ceil((places.length * piece) / count) - 1] ?? from)
    if (to > from) pieces.push(bytes.subarray(from, to))
    from = Math.max(from, to)
  }
  return pieces
}

/** Behind each empty line. */
const eventEnds = (bytes: Uint8Array): ReadonlyArray<number> => {
  const ends: Array<number> = []
  for (let at = 1; at < bytes.byteLength; at++)
    if (bytes[at] === newline && bytes[at - 1] === newline) ends.push(at + 1)
  return ends
}
