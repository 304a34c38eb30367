import type { FramePart, FrameWish } from "../../wire/frames/frame-reader.ts"
import type { FrameProblem } from "../../wire/frames/framing.ts"
import type { BodyDecoder } from "../../wire/http/body-decoder.ts"
import { chunkOf, lastChunk } from "../../wire/http/chunked-body.ts"
import { blockFinder } from "../../wire/sse-blocks.ts"
import { makeBlockParts } from "./block-parts.ts"
import { badBytes, type HttpStage, looseBytes } from "./http-stage.ts"

/** How a body comes, and goes on. */
export interface BodyTerms {
  readonly decoder: BodyDecoder
  /** How many bytes it will have; `null` where nobody knows. */
  readonly totalBytes: number | null
  /** Whether its events are frames; else it is one frame, where it has a byte. */
  readonly hasEvents: boolean
  /** Whether it goes on in chunks. */
  readonly isChunked: boolean
  /** A frame that is given whole has at most so many bytes. */
  readonly limitBytes: number
  readonly following: () => HttpStage
}

const closing = (part: FramePart | null): FramePart | null => (part === null ? null : { ...part, isClosing: true })

/**
 * A body. What is no frame in it, and the end of one in chunks, is given when it comes.
 *
 * @since 0.1.0
 * @category constructors
 */
export const bodyStage = (terms: BodyTerms): HttpStage => {
  const { decoder, totalBytes, hasEvents, isChunked, limitBytes } = terms
  const kind = hasEvents ? "event" : "body"
  const parts = makeBlockParts(kind, isChunked ? chunkOf : null)
  const finder = blockFinder()
  let problem: FrameProblem | null = null
  let isFinished = false
  let end: Uint8Array = new Uint8Array()

  const found = (bytes: Uint8Array): void => {
    const ends: Array<{ readonly at: number; readonly isFrame: boolean }> = []
    if (hasEvents) finder.scan(bytes, (at, isFrame) => ends.push({ at, isFrame }))
    parts.push(bytes, ends)
  }

  const finish = (): void => {
    isFinished = true
    const isEvent = finder.finish()
    if (hasEvents && isEvent !== null) parts.end(isEvent)
    if (!hasEvents && parts.openBytes() > 0) parts.end(true)
    end = decoder.end()
    if (isChunked && end.length === 0) end = lastChunk
  }

  /** A frame that is over the limit, of those that have to be kept. */
  const overLimit = (): FrameProblem | null => {
    if (parts.isInBlock()) return null
    const bytes = hasEvents ? parts.firstBytes() : (totalBytes ?? parts.firstBytes())
    if (bytes <= limitBytes) return null
    const shown = totalBytes !== null && !hasEvents ? `${totalBytes} bytes` : `more than ${limitBytes} bytes`
    const message = `${hasEvents ? "an event" : "a body"} that has to be whole, for a rule or the tail, has ${shown}; at most ${limitBytes} are kept`
    return { reason: "too long", message }
  }

  const give = (wish: FrameWish): FramePart | null => {
    const over = wish.isWhole ? overLimit() : null
    if (over !== null) {
      problem ??= over
      return null
    }
    if (problem !== null) parts.forgetOpen()
    const part = parts.give(wish)
    if (part !== null) return part
    if (!isFinished || problem !== null) return null
    return parts.rest() ?? closing(looseBytes(takenEnd()))
  }

  const takenEnd = (): Uint8Array => {
    const bytes = end
    end = new Uint8Array()
    return bytes
  }

  return {
    isBetween: false,
    take(chunk, from) {
      const at = decoder.take(chunk, from, found)
      const said = decoder.problem()
      if (said !== null) problem = badBytes(said)
      if (decoder.isComplete()) finish()
      return at
    },
    give,
    following: () => (isFinished && parts.isEmpty() && end.length === 0 ? terms.following() : null),
    problem: () => problem,
    close() {
      // Only a body without another end is whole by now.
      if (!isFinished && totalBytes === null && !isChunked) finish()
    },
    end: () => parts.rest() ?? looseBytes(decoder.end()),
    isInFrame: parts.isInBlock,
    openBytes: parts.openBytes,
    heldBytes: () => parts.heldBytes() + end.length
  }
}
