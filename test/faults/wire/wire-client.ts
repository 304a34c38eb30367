import { connect, type Socket } from "node:net"

/** A client that tells endings apart: it sees bytes, a FIN and a reset as they come, and a FIN does not end it. */
export interface WireClient {
  readonly socket: Socket
  write(bytes: string | Uint8Array): void
  /** All the bytes that came. */
  received(): Buffer
  /** Waits until so many bytes came, or no more will come. */
  until(count: number): Promise<void>
  /** Whether the server's FIN was seen. */
  hasEnded(): boolean
  /** Waits for the server's FIN, or for the end of all. */
  ended(): Promise<void>
  isOpen(): boolean
  /** Waits until the socket is gone; gives the code of its error, `closed` without one. */
  closed(): Promise<string>
}

/** Connects to a port of this machine. */
export const openWire = (port: number): WireClient => {
  const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true })
  const looks = new Set<() => void>()
  const look = (): void => {
    for (const each of [...looks]) each()
  }
  let pieces: Array<Buffer> = []
  let count = 0
  let hasEnded = false
  let close: string | null = null
  let error = "closed"
  socket.on("data", (piece: Buffer) => {
    pieces.push(piece)
    count += piece.byteLength
    look()
  })
  socket.on("end", () => {
    hasEnded = true
    look()
  })
  socket.on("error", (cause: NodeJS.ErrnoException) => {
    error = cause.code ?? cause.message
  })
  socket.on("close", () => {
    close = error
    look()
  })
  const wait = (isEnough: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const enough = (): void => {
        if (!isEnough()) return
        looks.delete(enough)
        resolve()
      }
      looks.add(enough)
      enough()
    })
  return {
    socket,
    write: (bytes) => void socket.write(bytes),
    received() {
      const whole = Buffer.concat(pieces)
      pieces = [whole]
      return whole
    },
    until: (wanted) => wait(() => count >= wanted || hasEnded || close !== null),
    hasEnded: () => hasEnded,
    ended: () => wait(() => hasEnded || close !== null),
    isOpen: () => close === null,
    async closed() {
      await wait(() => close !== null)
      return close ?? error
    }
  }
}

const piece = Buffer.alloc(1024 * 1024, "x")

/** More pieces than all buffers between two sockets hold. */
const pieces = 32

/**
 * Sends more than fits between two sockets, as the body of a request that is not yet whole. Resolves when all of it has
 * left, which it does exactly when the other side reads.
 */
export const flood = (client: WireClient): Promise<void> =>
  new Promise((resolve) => {
    const bytes = pieces * piece.byteLength
    client.write(`POST /nowhere HTTP/1.1\r\nhost: mock\r\ncontent-length: ${bytes + 1}\r\n\r\n`)
    for (let sent = 1; sent < pieces; sent++) client.write(piece)
    client.socket.write(piece, (error) => {
      if (error === undefined || error === null) resolve()
    })
  })
