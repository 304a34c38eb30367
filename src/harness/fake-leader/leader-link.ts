import type { StreamPort } from "../../ports/stream-port.ts"
import { encodeFrame, frameBodyBytesMax, frameDecoder } from "../../wire/frames/length-prefixed.ts"
import { type LeaderMessage, readLeaderMessage } from "../../wire/leader/leader-message.ts"

/** What is told of a connection to a leader; nothing behind `lost`, `failed` or a `drop`. */
export interface LinkReport {
  opened(): void
  failed(): void
  message(message: LeaderMessage): void
  lost(): void
}

/** A connection to a leader, from the first try on. */
export interface LeaderLink {
  /** Gives whether the message could be sent: it is not too long, and the connection is there. */
  send(message: Readonly<Record<string, unknown>>): boolean
  /** Ends the connection, behind what was sent. */
  drop(): void
}

/**
 * Connects to the socket of a leader.
 *
 * @since 0.1.0
 * @category constructors
 */
export const linkToLeader = (
  { streams, path }: { readonly streams: StreamPort; readonly path: string },
  report: LinkReport
): LeaderLink => {
  let isOver = false
  let write: ((frame: Uint8Array) => void) | null = null
  let hangUp = (): void => {}

  const over = (tell: () => void): void => {
    if (isOver) return
    isOver = true
    tell()
  }
  const giveUp = streams.connect(
    { kind: "unix", path },
    {
      opened(socket) {
        const decoder = frameDecoder()
        write = (frame) => socket.write(frame, () => {})
        hangUp = () => socket.end()
        const lost = (): void => over(report.lost)
        if (isOver) socket.destroy()
        else report.opened()
        return {
          received(bytes) {
            const { bodies, failure } = decoder.push(bytes)
            const messages = bodies.map(readLeaderMessage)
            let isBroken = false
            for (const message of messages) {
              if (message.kind === "broken") isBroken = true
              if (message.kind !== "broken" && !isBroken && !isOver) report.message(message)
            }
            if (!isBroken && failure === null) return
            socket.destroy()
            lost()
          },
          ended() {
            socket.end()
            lost()
          },
          closed: lost
        }
      },
      failed: () => over(report.failed)
    }
  )
  return {
    send(message) {
      const body = utf8.encode(JSON.stringify(message))
      if (isOver || write === null || body.length > frameBodyBytesMax) return false
      write(encodeFrame(body))
      return true
    },
    drop() {
      over(() => {
        if (write === null) giveUp()
        else hangUp()
      })
    }
  }
}

const utf8 = new TextEncoder()
