import type { FramePart, FrameReader } from "../../wire/frames/frame-reader.ts"
import { headedScanner } from "../../wire/frames/headed-scanner.ts"
import { messageReader } from "../../wire/frames/message-reader.ts"
import { opaqueScanner } from "../../wire/frames/opaque-scanner.ts"
import { scanningReader } from "../../wire/frames/scanning-reader.ts"
import { webSocketHeaders } from "../../wire/frames/web-socket-headers.ts"
import { webSocketText } from "../../wire/frames/web-socket-text.ts"
import type { Direction } from "../plan/fault-program.ts"
import { webSocketLength } from "../plan/rewrite-length.ts"
import { jsonIn } from "./frame-content.ts"
import type { Framing } from "./framing.ts"
import { asksForWebSocket, statusOf } from "./http-preamble.ts"
import { preambledReader } from "./preambled-reader.ts"
import type { FramingOptions } from "./read-framing-choice.ts"

/**
 * The framing of web sockets. Each direction first passes the head of a request or a response: parts with no frame. Frames follow when
 * the request asked for a web socket and the response has status 101. As soon as one of the two is known not to be so, both
 * directions go on as `opaque` behind their heads, for good. What a client sends behind its request before that is known waits for
 * the response, so that frames do not depend on which is read first. Responses before the last one (100, 103) are passed like it.
 *
 * The content of a text is the JSON in it.
 *
 * **Source** agent-harness.md, section 6.2; RFC 6455
 *
 * @since 0.1.0
 * @category constructors
 */
export const webSocketFraming = (options: Extract<FramingOptions, { readonly type: "webSocket" }>): Framing => ({
  rewriteLength: webSocketLength,
  open({ woken } = {}) {
    const isOpened: Record<Direction, boolean | null> = { clientToLeader: null, leaderToClient: null }
    const readerOf = (direction: Direction, readHead: (head: Uint8Array) => boolean | null): FrameReader =>
      preambledReader({
        readHead,
        settle: (isAgreed) => settle(direction, isAgreed),
        follow: () => following(isOpened, options)
      })
    const readers = {
      clientToLeader: readerOf("clientToLeader", asksForWebSocket),
      leaderToClient: readerOf("leaderToClient", isSwitching)
    }
    const settle = (direction: Direction, isAgreed: boolean): void => {
      const other = direction === "clientToLeader" ? "leaderToClient" : "clientToLeader"
      const wasWaiting = readers[other].isWaiting?.() ?? false
      isOpened[direction] = isAgreed
      if (wasWaiting) woken?.(other)
    }
    return readers
  }
})

/** Whether a response opens the web socket; null when it is not the last one. */
const isSwitching = (head: Uint8Array): boolean | null => {
  const status = statusOf(head)
  return status !== 101 && status !== null && status < 200 && status >= 100 ? null : status === 101
}

/** The reader of what comes behind the heads; null as long as that is not known. */
const following = (
  { clientToLeader, leaderToClient }: Readonly<Record<Direction, boolean | null>>,
  { counts, limitBytes }: { readonly counts: "frames" | "messages"; readonly limitBytes: number }
): FrameReader | null => {
  if (clientToLeader === false || leaderToClient === false) return scanningReader(opaqueScanner())
  if (clientToLeader === null || leaderToClient === null) return null
  if (counts === "messages") return messageReader({ payloadBytesMax: limitBytes }, jsonText)
  return scanningReader(headedScanner(webSocketHeaders({ payloadBytesMax: limitBytes }), limitBytes), jsonText)
}

const jsonText = ({ bytes }: FramePart): unknown => {
  const text = webSocketText(bytes)
  return text === null ? undefined : jsonIn(text)
}
