import type { StreamPort, StreamSocket } from "../../../src/ports/stream-port.ts"
import { encodeFrame, frameDecoder } from "../../../src/wire/frames/length-prefixed.ts"
import { socketPath } from "./leader-world.ts"

export type Said = Readonly<Record<string, unknown>>

/** Somebody who has connected to a leader, and says what a test wants. */
export interface LeaderCaller {
  /** The messages since the last look. */
  fresh(): ReadonlyArray<Said>
  send(message: Said): void
  /** A frame with a body of any kind. */
  sendBody(text: string): void
  acp(line: string): void
  register(version?: string): void
  isClosed(): boolean
}

export const callLeader = (streams: StreamPort): LeaderCaller => {
  let heard: Array<Said> = []
  let socket: StreamSocket | null = null
  let isClosed = false
  const decoder = frameDecoder()
  const waiting: Array<Uint8Array> = []
  streams.connect(
    { kind: "unix", path: socketPath },
    {
      opened(opened) {
        socket = opened
        for (const frame of waiting) opened.write(frame, () => {})
        return {
          received: (bytes) =>
            heard.push(...decoder.push(bytes).bodies.map((body): Said => JSON.parse(new TextDecoder().decode(body)))),
          ended: () => opened.end(),
          closed() {
            isClosed = true
          }
        }
      },
      failed({ reason }) {
        throw new Error(reason)
      }
    }
  )
  const sendBody = (text: string): void => {
    const frame = encodeFrame(new TextEncoder().encode(text))
    if (socket === null) waiting.push(frame)
    else socket.write(frame, () => {})
  }
  const send = (message: Said): void => sendBody(JSON.stringify(message))
  return {
    fresh() {
      const messages = heard
      heard = []
      return messages
    },
    send,
    sendBody,
    acp: (payload) => send({ type: "acp", payload }),
    register(version) {
      const capabilities = version === undefined ? {} : { client_version: version }
      send({ type: "register", client_type: "test", mode: "headless", capabilities })
    },
    isClosed: () => isClosed
  }
}
