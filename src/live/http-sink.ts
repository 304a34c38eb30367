import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { chunksOf, type Ending } from "../domain/plan.ts"
import { hasNoBody } from "../domain/status.ts"
import type { Sink } from "../kernel/sink.ts"

/** Handed over when this much is gathered, so that back-pressure is felt. */
export const gatherBytesMax = 64 * 1024

/** Between the last bytes and an RST at least this long passes, or clients see a plain end of stream. */
export const resetGapMs = 5

/** A connection that vanished is given up after this long, for nobody would notice that its client left. */
const vanishedMsMax = 600_000

/**
 * One response of `node:http`. Head and bytes are gathered and handed over together: a whole answer is one system call.
 * `ended` is called when its end was handed over, unless that is a silence.
 *
 * @since 0.1.0
 * @category services
 */
export const httpSink = (response: ServerResponse, ended: (how: Ending) => void): Sink => {
  const pieces: Array<string | Uint8Array> = []
  let gathered = 0
  let hasRoom = true
  let chunkPerWrite = false

  const handOver = (): void => {
    if (pieces.length === 0) return
    if (chunkPerWrite) handOverEach()
    else hasRoom = response.write(joined(pieces))
    pieces.length = 0
    gathered = 0
  }

  /** The socket gathers them, and not the response, which would make one chunk of all. */
  const handOverEach = (): void => {
    const { socket } = response.req
    socket.cork()
    for (const piece of pieces) hasRoom = response.write(piece)
    socket.uncork()
  }

  /** A head without bytes has to be sent by its own. */
  const flush = (): void => {
    if (pieces.length > 0) handOver()
    else if (response.headersSent) response.flushHeaders()
  }

  const finish = (how: Ending, report?: (isDelivered: boolean) => void): void => {
    const { socket } = response.req
    if (how === "end") {
      if (chunkPerWrite) handOver()
      const bytes = joined(pieces)
      pieces.length = 0
      if (report !== undefined) response.once("close", () => report(response.writableFinished))
      response.end(bytes)
      ended(how)
      return
    }
    flush()
    if (report !== undefined && how !== "stall" && how !== "vanish")
      socket.write("", (error) => report(error === undefined || error === null))
    // Behind an empty write, or newer versions of Node end the socket before what was handed over has left.
    if (how === "halfClose") socket.write("", () => socket.end())
    else if (how === "fin") socket.write("", () => socket.destroySoon())
    else if (how === "vanish") vanish(socket)
    else if (how === "rst") resetAfterFlush(socket)
    if (how !== "stall" && how !== "vanish") ended(how)
  }

  return {
    head(status, headers, options) {
      chunkPerWrite = options?.chunkPerWrite === true
      response.sendDate = false
      response.writeHead(status, [...knownTo(response, headers), ...framing(response, status, headers)])
    },
    write(bytes, chunkEnds) {
      for (const chunk of chunksOf(bytes, chunkEnds)) pieces.push(chunk)
      gathered += bytes.length
      if (gathered >= gatherBytesMax) handOver()
      return hasRoom || response.writableNeedDrain === false
    },
    writeUnframed(bytes) {
      flush()
      // Such bytes are few: no reader is ever behind for them alone.
      response.req.socket.write(bytes)
      return true
    },
    flush,
    finish
  }
}

/** The callback of a last empty write says that everything before it has left. */
const resetAfterFlush = (socket: Socket): void => {
  socket.write("", () => {
    if (socket.destroyed) return
    // Behind a turn of the event loop, in which a client of this process reads what came before, however busy it is.
    const timer = setTimeout(() => setImmediate(() => socket.resetAndDestroy()), resetGapMs)
    socket.once("close", () => clearTimeout(timer))
  })
}

/** Nothing is sent and nothing is read any more, so not even the end of the client is seen. */
const vanish = (socket: Socket & { readonly vanish?: () => void }): void => {
  // Simulated sockets can do more than be silent.
  socket.vanish?.()
  socket.pause()
  socket.setTimeout(vanishedMsMax, () => socket.destroy())
}

const joined = (pieces: ReadonlyArray<string | Uint8Array>): string | Uint8Array => {
  const [first, ...rest] = pieces
  if (first === undefined) return ""
  if (rest.length === 0) return first
  return pieces.every((piece) => typeof piece === "string")
    ? pieces.join("")
    : Buffer.concat(pieces.map((piece) => Buffer.from(piece)))
}

/** Clients of HTTP/1.0 are not told that their connection stays; it ends with the answer. */
const knownTo = (response: ServerResponse, headers: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (response.req.httpVersion !== "1.0") return headers
  return headers.flatMap((value, index) => {
    const name = headers[index - (index % 2)] ?? ""
    return /^(?:connection|keep-alive)$/i.test(name) ? [] : [value]
  })
}

/** A body of unknown length is sent in chunks, also when all of it happens to be there at once. */
const framing = (response: ServerResponse, status: number, headers: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isFramed = headers.some((name, index) => index % 2 === 0 && /^(content-length|transfer-encoding)$/i.test(name))
  // Clients of HTTP/1.0 know no chunks; for them the end of the connection is the end of the body.
  return hasNoBody(status) || isFramed || response.req.httpVersion === "1.0" ? [] : ["transfer-encoding", "chunked"]
}
