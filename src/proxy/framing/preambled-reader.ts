import type { FramePart, FrameReader } from "../../wire/frames/frame-reader.ts"
import { gatheredBytes } from "../../wire/frames/gathered-bytes.ts"
import { preambleReader } from "./http-preamble.ts"

/** How a direction goes on behind its head. */
export interface PreambleTerms {
  /** What a head says; null when another head follows it. */
  readonly readHead: (head: Uint8Array) => boolean | null
  /** Told once: what the last head said; false when the input ended before it. */
  readonly settle: (said: boolean) => void
  /** The reader of what comes behind; null as long as nobody knows. */
  readonly follow: () => FrameReader | null
}

/** A reader that passes heads of HTTP, waits until it is known what follows, and then reads that. */
export const preambledReader = ({ readHead, settle, follow }: PreambleTerms): FrameReader => {
  const preamble = preambleReader()
  let chunks: Array<Uint8Array> = []
  let isHeadRead = false
  let reader: FrameReader | null = null

  /** Goes on in the chunks to the end of a head. */
  const nextHead = (): FramePart | null => {
    for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) {
      const taken = preamble.take(chunk)
      if (preamble.failure() !== null) chunks = []
      else if (taken < chunk.length) chunks.unshift(chunk.subarray(taken))
      const head = preamble.head()
      if (head === null) continue
      const said = readHead(head)
      if (said !== null) settleWith(said)
      return passed(head)
    }
    return null
  }

  const settleWith = (said: boolean): void => {
    isHeadRead = true
    settle(said)
  }

  const following = (): FrameReader | null => {
    if (reader !== null || !isHeadRead) return reader
    reader = follow()
    if (reader !== null) for (const chunk of chunks.splice(0)) reader.feed(chunk)
    return reader
  }

  const passed = (bytes: Uint8Array): FramePart => ({ bytes, frames: 0, last: null, isWhole: false, envelope: null })

  const rest = (): FramePart | null => {
    const gathered = gatheredBytes()
    gathered.add(preamble.rest(), null)
    for (const chunk of chunks.splice(0)) gathered.add(chunk, null)
    return gathered.bytes() === 0 ? null : passed(gathered.take())
  }

  return {
    feed(chunk) {
      if (chunk.length === 0 || preamble.failure() !== null) return
      if (reader === null) chunks.push(chunk)
      else reader.feed(chunk)
    },
    next: (wish) => (isHeadRead ? (following()?.next(wish) ?? null) : nextHead()),
    end() {
      const left = following()?.end() ?? rest()
      if (!isHeadRead) settleWith(false)
      return left
    },
    failure: () => preamble.failure() ?? reader?.failure() ?? null,
    isWaiting: () => isHeadRead && chunks.length > 0 && following() === null,
    isInFrame: () => reader?.isInFrame() ?? false,
    heldBytes: () =>
      preamble.heldBytes() + chunks.reduce((sum, { length }) => sum + length, 0) + (reader?.heldBytes() ?? 0),
    openBytes: () => reader?.openBytes() ?? preamble.heldBytes(),
    content: (part) => reader?.content(part)
  }
}
