import type { Clock } from "../../kernel/clock.ts"
import type { SocketReport, StreamSocket } from "../../ports/stream-port.ts"
import { answerRequest, type ControlAnswer } from "./answer-request.ts"
import type { ControlDesk } from "./control-desk.ts"
import { deskFor } from "./desk-for.ts"
import { fittingAnswer } from "./fitting-answer.ts"
import { makeRequestLines, type RequestLine } from "./request-lines.ts"

/** A longer request is refused: it is kept whole. */
export const requestBytesMax = 1024 * 1024

/** A client that leaves more answers unread than this is not read either until it has read them. */
export const unreadBytesMax = 1024 * 1024

/** So many lines are read in one turn: whoever sends many must not keep the traffic waiting. */
export const linesAtOnceMax = 16

/** How long answers have to leave when nothing more is taken, in milliseconds. */
const leaveMs = 500

/** One that is connected to the control socket. */
export interface ControlPeer {
  readonly report: SocketReport
  /** Whether it has ended and only waits for answers; one that was killed looks the same. */
  isWaiting(): boolean
  /** Tells it why, and closes at once. */
  dismiss(reason: string): void
  /** Takes no more requests, and closes when all answers have left, or soon. */
  stop(): void
}

interface PeerParts {
  readonly desk: ControlDesk
  readonly clock: Clock
  readonly gone: () => void
}

/**
 * Answers the requests of one client, one line each. Only commands that wait are answered later than others that came behind them;
 * they are given up when the client has gone.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeControlPeer = (socket: StreamSocket, { desk: shared, clock, gone }: PeerParts): ControlPeer => {
  const { desk, giveUp } = deskFor(shared)
  const lines = makeRequestLines(requestBytesMax)
  let unreadBytes = 0
  let waits = 0
  let isPaused = false
  let hasEnded = false
  let isLeaving = false
  let isGone = false
  let forget = (): void => {}
  /** Takes back the turn in which more lines are read. */
  let notNow: (() => void) | null = null

  const write = (answer: ControlAnswer): void => {
    if (isGone) return
    const bytes = new TextEncoder().encode(`${fittingAnswer(answer).text}\n`)
    unreadBytes += bytes.length
    socket.write(bytes, (problem) => {
      unreadBytes -= bytes.length
      // Who takes no answer is asked for nothing more.
      if (problem !== null) isLeaving = true
      goOn()
    })
  }
  const leave = (): void => {
    isLeaving = true
    giveUp()
    forget()
    forget = clock.arm(leaveMs, "proxy control/leave", () => socket.destroy())
  }
  const take = (line: RequestLine): void => {
    if (line.kind === "too long") {
      write({ ok: false, error: `the request is longer than ${line.bytesMax} bytes; it was passed over` })
    } else if (isHttp(line.bytes)) {
      // A browser can be made to post lines to a port of this machine.
      write({ ok: false, error: "this is no HTTP server; send one JSON request a line" })
      leave()
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
    for (let read = 0; hasMore && notNow === null && !isLeaving && unreadBytes < unreadBytesMax; read++) {
      if (read === linesAtOnceMax) {
        notNow = clock.arm(0, "proxy control/more", () => {
          notNow = null
          goOn()
        })
        break
      }
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
        // It is read until it is closed, and none of it is kept.
        if (isLeaving) return
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
        giveUp()
        forget()
        notNow?.()
        gone()
      }
    },
    isWaiting: () => hasEnded && waits > 0 && !isLeaving,
    dismiss(reason) {
      write({ ok: false, error: reason })
      leave()
      socket.destroy()
    },
    stop() {
      if (isGone) return
      leave()
      goOn()
    }
  }
}

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x09

const httpHeadMax = 8_192

const isHttp = (line: Uint8Array): boolean =>
  /^[A-Z]+ \S+ HTTP\/\d/.test(new TextDecoder().decode(line.subarray(0, httpHeadMax)))
