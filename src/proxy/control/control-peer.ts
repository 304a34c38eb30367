import type { Clock } from "../../kernel/clock.ts"
import type { SocketReport, StreamSocket } from "../../ports/stream-port.ts"
import { answerRequest, type ControlAnswer } from "./answer-request.ts"
import type { ControlDesk } from "./control-desk.ts"
import { makeRequestLines, type RequestLine } from "./request-lines.ts"

/** A longer request is refused: it is kept whole. */
export const requestBytesMax = 1024 * 1024

/** A client that leaves more answers unread than this is not read either until it has read them. */
export const unreadBytesMax = 1024 * 1024

/** So many commands of one client may wait at a time. */
export const waitsMax = 64

/** How long answers have to leave when the proxy stops, in milliseconds. */
const leaveMs = 500

/** One that is connected to the control socket. */
export interface ControlPeer {
  readonly report: SocketReport
  /** Takes no more requests, and closes when all answers have left, or soon. */
  stop(): void
}

interface PeerParts {
  readonly desk: ControlDesk
  readonly clock: Clock
  readonly gone: () => void
}

/**
 * Answers the requests of one client, one line each. Only commands that wait are answered later than others that came behind them.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeControlPeer = (socket: StreamSocket, { desk, clock, gone }: PeerParts): ControlPeer => {
  const lines = makeRequestLines(requestBytesMax)
  let unreadBytes = 0
  let waits = 0
  let isPaused = false
  let hasEnded = false
  let isLeaving = false
  let isGone = false
  let forget = (): void => {}

  const write = (answer: ControlAnswer): void => {
    if (isGone) return
    const bytes = new TextEncoder().encode(`${JSON.stringify(answer)}\n`)
    unreadBytes += bytes.length
    socket.write(bytes, () => {
      unreadBytes -= bytes.length
      goOn()
    })
  }
  const take = (line: RequestLine): void => {
    if (line.kind === "too long") {
      write({ ok: false, error: `the request is longer than ${line.bytesMax} bytes; it was passed over` })
    } else if (isHttp(line.bytes)) {
      // A browser can be made to post lines to a port of this machine.
      write({ ok: false, error: "this is no HTTP server; send one JSON request a line" })
      isLeaving = true
    } else if (!line.bytes.every(isBlank)) answerTo(line.bytes)
  }
  const answerTo = (line: Uint8Array): void => {
    const answer = answerRequest(line, desk)
    if (!(answer instanceof Promise)) {
      write(answer)
      return
    }
    waits++
    void answer.then((late) => {
      waits--
      write(late)
      goOn()
    })
  }
  const goOn = (): void => {
    if (isGone) return
    let hasMore = true
    while (hasMore && !isLeaving && unreadBytes < unreadBytesMax && waits < waitsMax) {
      const line = lines.next()
      if (line === null) hasMore = false
      else take(line)
    }
    if (isLeaving) {
      if (unreadBytes === 0 && waits === 0) socket.destroy()
      return
    }
    if (hasMore !== isPaused) {
      isPaused = hasMore
      if (isPaused) socket.pause()
      else socket.resume()
    }
    if (hasEnded && !hasMore && waits === 0) socket.end()
  }
  return {
    report: {
      received(bytes) {
        lines.push(bytes)
        goOn()
      },
      ended() {
        hasEnded = true
        lines.end()
        goOn()
      },
      closed() {
        isGone = true
        forget()
        gone()
      }
    },
    stop() {
      if (isGone) return
      isLeaving = true
      forget = clock.arm(leaveMs, "proxy control/leave", () => socket.destroy())
      goOn()
    }
  }
}

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x09

const httpHeadMax = 8_192

const isHttp = (line: Uint8Array): boolean =>
  /^[A-Z]+ \S+ HTTP\/\d/.test(new TextDecoder().decode(line.subarray(0, httpHeadMax)))
