import { type FrameProblem, tooLong } from "./framing.ts"
import { type HeaderReader, headerIncomplete, type SkippedFrames } from "./headed-scanner.ts"
import { frameBodyBytesMax } from "./length-prefixed.ts"
import {
  headerBytesOf,
  isControl,
  isFinal,
  kindOf,
  payloadBytesAt,
  webSocketHeaderBytesMax
} from "./web-socket-start.ts"

/** The message that began last, as far as the header read last: the whole frame of that header is in it. */
export interface WebSocketMessage {
  /** Of its first frame. */
  readonly headerBytes: number
  readonly kind: string | null
  /** Of all its frames, without those of control in between. */
  readonly totalBytes: number
  /** Whether more frames of it follow behind that of the header read last. */
  readonly isContinued: boolean
}

/** As many bytes of headers as the payload of a message may have, and so many in any case, may the frames of a message have. */
const headerBytesMin = 65_536

/** Reads the headers of a web socket. */
export interface WebSocketHeaders extends HeaderReader {
  /** Whether ends of messages count, and not those of all frames. It may change between two frames. */
  countMessages(isWanted: boolean): void
  /** Whether the frame of the header read last is one of control. */
  isControl(): boolean
  message(): WebSocketMessage
}

/**
 * A reader of the headers of RFC 6455. A message begins with its first frame of data and ends with the one that is final; a frame of data
 * within a message belongs to it, whatever it says it is.
 *
 * **Takes** whether messages are told, and bounded
 * **Fails** when a payload, or that of all frames of a message, is above `payloadBytesMax`
 * **Source** agent-harness.md, section 6.2
 *
 * @since 0.1.0
 * @category constructors
 */
export const webSocketHeaders = ({
  payloadBytesMax = frameBodyBytesMax,
  areMessagesRead = false
} = {}): WebSocketHeaders => {
  const header = new Uint8Array(webSocketHeaderBytesMax)
  const view = new DataView(header.buffer)
  const skipped: SkippedFrames = { frames: 0, endedAt: 0, headerBytes: 0, totalBytes: 0 }
  let held = 0
  /** The first byte of the header read last. */
  let first = 0
  let bodyBytes = headerIncomplete
  let isEveryFrameCounted = true
  let failure: FrameProblem | null = null
  let message: WebSocketMessage = { headerBytes: 0, kind: null, totalBytes: 0, isContinued: false }
  let messagePayloadBytes = 0

  /** What is refused changes nothing: it may be asked yet what ended before it. */
  const close = (): void => {
    const byte = header[0] ?? 0
    const payloadBytes = payloadBytesAt(view, 0)
    failure = problemOf(byte, payloadBytes)
    if (failure !== null) return
    first = byte
    bodyBytes = payloadBytes
    if (!isControl(byte)) putIntoMessage(held, payloadBytes)
    held = 0
  }

  const problemOf = (byte: number, payloadBytes: number): FrameProblem | null => {
    if (payloadBytes > payloadBytesMax) return tooLong("the payload of a frame", payloadBytes, payloadBytesMax)
    const sum = messagePayloadBytes + payloadBytes
    if (!message.isContinued || isControl(byte)) return null
    if (sum > payloadBytesMax) return tooLong("the payload of a message", sum, payloadBytesMax)
    // Frames without payload cost nothing there, and are kept all the same.
    const headerBytes = message.totalBytes - messagePayloadBytes + held
    const headerBytesMax = Math.max(payloadBytesMax, headerBytesMin)
    return headerBytes > headerBytesMax
      ? tooLong("what stands before the payload of a message", headerBytes, headerBytesMax)
      : null
  }

  const putIntoMessage = (headerBytes: number, payloadBytes: number): void => {
    if (!areMessagesRead) return
    const { isContinued } = message
    messagePayloadBytes = payloadBytes + (isContinued ? messagePayloadBytes : 0)
    message = {
      headerBytes: isContinued ? message.headerBytes : headerBytes,
      kind: isContinued ? message.kind : kindOf(first),
      totalBytes: headerBytes + payloadBytes + (isContinued ? message.totalBytes : 0),
      isContinued: !isFinal(first)
    }
  }

  /** Whether a frame that begins with a byte is about no other, as far as anybody asks. */
  const isAlone = (byte: number): boolean =>
    !areMessagesRead || isControl(byte) || (isFinal(byte) && !message.isContinued)

  return {
    take(chunk, from) {
      bodyBytes = headerIncomplete
      let at = from
      while (at < chunk.length) {
        header[held++] = chunk[at++] ?? 0
        if (held < 2 || held < headerBytesOf(header[1] ?? 0)) continue
        close()
        break
      }
      return at
    },
    skip(chunk, from, most) {
      const chunkView = new DataView(chunk.buffer, chunk.byteOffset, chunk.length)
      const size = chunk.length
      let at = from
      let count = 0
      skipped.totalBytes = 0
      while (count < most && at + 2 <= size) {
        const byte = chunkView.getUint8(at)
        const headerBytes = headerBytesOf(chunkView.getUint8(at + 1))
        if (at + headerBytes > size || !isAlone(byte)) break
        const payloadBytes = payloadBytesAt(chunkView, at)
        if (payloadBytes > payloadBytesMax || payloadBytes > size - at - headerBytes) break
        first = byte
        at += headerBytes + payloadBytes
        skipped.headerBytes = headerBytes
        skipped.totalBytes = headerBytes + payloadBytes
        if (isEveryFrameCounted || !isControl(byte)) count++
      }
      skipped.frames = count
      skipped.endedAt = at
      if (at > from && !isControl(first)) putIntoMessage(skipped.headerBytes, skipped.totalBytes - skipped.headerBytes)
    },
    skipped,
    get bodyBytes() {
      return bodyBytes
    },
    get kind() {
      return kindOf(first)
    },
    get isCounted() {
      return isEveryFrameCounted || (isFinal(first) && !isControl(first))
    },
    get failure() {
      return failure
    },
    countMessages(isWanted) {
      isEveryFrameCounted = !isWanted
    },
    isControl: () => isControl(first),
    message: () => message
  }
}
