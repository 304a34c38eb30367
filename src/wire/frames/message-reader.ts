import type { FramePart, FrameReader, FrameShape, FrameWish } from "./frame-reader.ts"
import { gatheredBytes } from "./gathered-bytes.ts"
import { headedScanner } from "./headed-scanner.ts"
import { scanningReader } from "./scanning-reader.ts"
import { webSocketHeaders } from "./web-socket-headers.ts"

/**
 * A reader of a web socket that takes each message for a frame: from its first frame of data to its last, without the frames of control
 * in between. Those belong to no message, and are given at once: before a message that is being gathered, where it is wanted whole;
 * else where they stand.
 *
 * **Takes** the limit of the payload of a message
 *
 * @since 0.1.0
 * @category constructors
 */
export const messageReader = (
  { payloadBytesMax }: { readonly payloadBytesMax: number },
  content: (part: FramePart) => unknown
): FrameReader => {
  const headers = webSocketHeaders({ payloadBytesMax, areMessagesRead: true })
  const scanner = headedScanner(headers, payloadBytesMax)
  const frames = scanningReader(scanner)
  /** The frames of a message that is wanted whole. */
  const gathered = gatheredBytes()
  /** Whether the beginning of a message has been given that goes on behind the frame read last. */
  let isStreamed = false

  const isMessageEnded = (): boolean => !headers.isControl() && !headers.message().isContinued
  const shape = (): FrameShape => {
    const { headerBytes, totalBytes, kind } = headers.message()
    return { headerBytes, totalBytes, kind }
  }

  const nextWhole = (): FramePart | null => {
    headers.countMessages(false)
    for (;;) {
      const frame = frames.next({ most: 1, isWhole: true })
      if (frame === null) {
        if (scanner.failure !== null) gathered.take()
        return null
      }
      if (headers.isControl()) return { ...frame, frames: 0, last: null, isWhole: false }
      const isEnded = isMessageEnded()
      if (isEnded && gathered.bytes() === 0) return { ...frame, last: shape() }
      gathered.add(frame.bytes, isEnded ? gathered.bytes() + frame.bytes.length : null)
      if (isEnded) return { ...frame, bytes: gathered.take(), last: shape() }
    }
  }

  /** Gives what there is; where the next message is wanted whole, to the end of a frame at most. */
  const nextPiece = ({ most, isWhole }: FrameWish): FramePart | null => {
    const wasInFrame = isInFrame()
    headers.countMessages(!isWhole)
    const part = frames.next({ most: isWhole ? 1 : most, isWhole: false })
    if (part === null) return null
    const last = part.last !== null && isMessageEnded() ? shape() : null
    isStreamed = headers.message().isContinued
    const ended = isWhole && last === null ? 0 : part.frames
    const isAlone = !wasInFrame && ended === 1 && part.bytes.length === last?.totalBytes
    return { ...part, frames: ended, last, isWhole: isAlone }
  }

  const isInFrame = (): boolean => isStreamed || frames.isInFrame()
  const given = (bytes: Uint8Array): FramePart => ({ bytes, frames: 0, last: null, isWhole: false, envelope: null })

  return {
    feed: frames.feed,
    next(wish) {
      if (wish.isWhole && !isInFrame()) return nextWhole()
      if (gathered.bytes() === 0) return nextPiece(wish)
      isStreamed = true
      return given(gathered.take())
    },
    end() {
      const rest = frames.end()
      if (rest !== null) gathered.add(rest.bytes, null)
      return gathered.bytes() === 0 ? null : given(gathered.take())
    },
    failure: () => scanner.failure,
    isInFrame,
    heldBytes: () => gathered.bytes() + frames.heldBytes(),
    openBytes() {
      const { totalBytes, isContinued } = headers.message()
      const isDataOpen = scanner.isHeaderComplete && !headers.isControl()
      // The whole frame is in the message from its header on.
      if (isDataOpen) return totalBytes - (scanner.openTotalBytes ?? 0) + scanner.openBytes
      return scanner.openBytes + (isContinued ? totalBytes : 0)
    },
    content: (part) => (part.isWhole ? content(part) : undefined)
  }
}
