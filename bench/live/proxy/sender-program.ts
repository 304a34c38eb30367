import { createServer, type Socket } from "node:net"
import type { StreamAddress } from "../../../src/ports/stream-port.ts"
import { answerQuestions } from "../../shared/child.ts"
import { frameBlocks } from "./frame-blocks.ts"
import { boundAddress, whereOf } from "./socket-place.ts"

/** What is sent to whoever connects: so many blocks of frames with bodies of so many bytes, or with 0 what they send themselves. */
export interface Sending {
  readonly bodyBytes: number
  readonly blocks: number
}

export type SenderQuestion =
  | { readonly listen: StreamAddress }
  | { readonly send: Sending }
  | { readonly progress: true }

/** Where it listens, or how many bytes have left in whole blocks to whoever connected last; `null` before anybody has. */
export interface SenderAnswer {
  readonly address: StreamAddress | null
  readonly bytesLeft: number | null
}

/** Blocks under way at once. */
const blocksAtOnce = 3

let sending: Sending = { bodyBytes: 100, blocks: 0 }
let last: Socket | null = null

const server = createServer({ noDelay: true }, (socket) => {
  last = socket
  // Whoever leaves early is missed by the one who receives.
  socket.on("error", () => {})
  if (sending.blocks === 0) socket.pipe(socket)
  else {
    socket.resume()
    send(socket, sending)
  }
})

const send = (socket: Socket, { bodyBytes, blocks }: Sending): void => {
  const made = frameBlocks(bodyBytes)
  let next = 0
  const sendNext = (block: Buffer): void => {
    if (next >= blocks) {
      if (next++ === blocks + blocksAtOnce - 1) socket.end()
      return
    }
    made.number(block, next++)
    socket.write(block, () => sendNext(block))
  }
  for (let each = 0; each < blocksAtOnce; each++) sendNext(made.make())
}

answerQuestions<SenderQuestion, SenderAnswer>(async (question) => {
  if ("progress" in question)
    return { address: null, bytesLeft: last === null ? null : last.bytesWritten - last.writableLength }
  if ("send" in question) {
    sending = question.send
    last = null
    return { address: null, bytesLeft: null }
  }
  await new Promise<void>((resolve) => server.listen(whereOf(question.listen), resolve))
  return { address: boundAddress(server, question.listen), bytesLeft: null }
})
