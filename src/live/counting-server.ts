import { createServer, type Server, type Socket } from "node:net"
import { portOf } from "./listening-port.ts"

/** A request head longer than this ends its connection; so many heads are kept, the newest. */
const headBytesMax = 64 * 1024
const headsMax = 10_000

/**
 * Answers every request with `200 {}` and counts the connections it accepted: for tests that a client reuses them.
 *
 * **Source** inference-server.md, section 10.1
 *
 * @since 0.1.0
 * @category services
 */
export interface CountingServer {
  /** `http://127.0.0.1:PORT/v1` */
  url(): string
  /** Connections accepted so far. */
  connectionCount(): number
  /** The heads of the requests, each with its blank line, as they were sent (bytes as Latin-1); the newest 10,000. */
  requestHeads(): ReadonlyArray<string>
  /** Ends all connections and gives the port back. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts a counting server on a port of the system's choice.
 *
 * **Fails** by rejecting with the system's error when no port can be had
 *
 * @since 0.1.0
 * @category constructors
 */
export const spawnCountingServer = async (): Promise<CountingServer> => {
  const heads: Array<string> = []
  const sockets = new Set<Socket>()
  let accepted = 0

  const server = createServer((socket) => {
    accepted++
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
    answerAll(socket, (head) => {
      heads.push(head)
      if (heads.length > headsMax) heads.shift()
    })
  })
  await listen(server)

  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  const url = `http://127.0.0.1:${portOf(server)}/v1`
  return {
    url: () => url,
    connectionCount: () => accepted,
    requestHeads: () => [...heads],
    close,
    [Symbol.asyncDispose]: close
  }
}

const listen = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen({ host: "127.0.0.1", port: 0 }, () => {
      server.off("error", reject)
      // A connection that could not be accepted is lost, and nothing else.
      server.on("error", () => {})
      resolve()
    })
  })

const answer = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}"

/** Reads head, then body, then the next head; what was sent at once is answered in its order. */
const answerAll = (socket: Socket, received: (head: string) => void): void => {
  let unread = ""
  let bodyBytesLeft = 0
  let isAnswerOwed = false

  const read = (): void => {
    for (;;) {
      const skipped = Math.min(bodyBytesLeft, unread.length)
      unread = unread.slice(skipped)
      bodyBytesLeft -= skipped
      if (bodyBytesLeft > 0) return
      if (isAnswerOwed && !socket.write(answer)) socket.pause()
      isAnswerOwed = false
      const end = unread.indexOf("\r\n\r\n")
      if (end < 0) return
      const head = unread.slice(0, end + 4)
      unread = unread.slice(head.length)
      received(head)
      bodyBytesLeft = contentLength(head)
      isAnswerOwed = true
    }
  }

  socket.setNoDelay(true)
  socket.setEncoding("latin1")
  socket.on("data", (text) => {
    unread += text
    read()
    if (unread.length > headBytesMax) socket.destroy()
  })
  socket.on("drain", () => socket.resume())
  socket.on("error", () => socket.destroy())
}

/** The announced length of the body, 0 when there is none that can be read. */
const contentLength = (head: string): number => {
  const length = Number(/\r\ncontent-length:[ \t]*(\d+)[ \t]*\r\n/i.exec(head)?.[1] ?? 0)
  return Number.isSafeInteger(length) ? length : 0
}
