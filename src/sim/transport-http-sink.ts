import { copiedBytes } from "../domain/copied-bytes.ts"
import { chunksOf, type Ending } from "../domain/plan.ts"
import { firstHeader, type RequestHead } from "../domain/request.ts"
import { hasNoBody } from "../domain/status.ts"
import type { Sink } from "../kernel/sink.ts"
import type { LinkEnd } from "./link.ts"
import { type HttpMessage, headerIn, type ResponseHead, sizeOf } from "./transport-messages.ts"

/** Handed over when this much is gathered, as live. */
const gatherBytesMax = 64 * 1024

const utf8 = new TextEncoder()
const noBytes = new Uint8Array()

/** Who is told how an answer ends. */
export interface SinkOwner {
  /** The end was handed over. `report` waits to be told whether all has left. */
  finished(how: Ending, report: ((isDelivered: boolean) => void) | null): void
}

/**
 * One response that travels as messages: what is gathered up to a flush arrives together, as the bytes of one write do.
 *
 * @since 0.1.0
 * @category simulation
 */
export const messageSink = (
  end: LinkEnd<HttpMessage>,
  {
    request,
    owner,
    cut
  }: {
    readonly request: RequestHead
    readonly owner: SinkOwner
    /** What is handed over at once may still arrive apart. */
    readonly cut: ((bytes: Uint8Array) => Iterable<Uint8Array>) | null
  }
): Sink => {
  let head: ResponseHead | null = null
  let hasHead = false
  let isChunked = true
  let isRaw = false
  let chunkPerWrite = false
  let pieces: Array<string | Uint8Array> = []
  let gathered = 0

  const handOver = (isEnd: boolean): void => {
    if (head === null && pieces.length === 0 && !isEnd) return
    // Node says 200 for an answer that was never given a head.
    if (isEnd && !hasHead && !isRaw) head = { status: 200, headers: framed(200, [], request) }
    const body = bodyOf()
    let own = head
    head = null
    pieces = []
    gathered = 0
    const send = (part: ReadonlyArray<Uint8Array>, isLast: boolean): void => {
      const message = { kind: "response", head: own, body: part, isRaw, isEnd: isEnd && isLast } as const
      own = null
      end.send(message, sizeOf(message))
    }
    const [whole] = body
    if (cut === null || isRaw || whole === undefined || body.length > 1) {
      send(body, true)
      return
    }
    let before: Uint8Array | null = null
    for (const piece of cut(whole)) {
      if (before !== null) send([before], false)
      // A copy of its own: who reads it may take its memory away.
      before = copiedBytes(piece)
    }
    send(before === null ? body : [before], true)
  }

  const bodyOf = (): ReadonlyArray<Uint8Array> => {
    if (pieces.length === 0) return []
    return chunkPerWrite || isRaw ? pieces.map(bytesOf) : [joined(pieces)]
  }

  const write = (bytes: string | Uint8Array, chunkEnds?: ReadonlyArray<number>): boolean => {
    for (const chunk of chunksOf(bytes, chunkEnds)) {
      if (isRaw && isChunked) {
        const own = bytesOf(chunk)
        pieces.push(`${own.byteLength.toString(16)}\r\n`, own, "\r\n")
      } else if (chunk.length > 0) pieces.push(chunk)
    }
    gathered += bytes.length
    if (gathered >= gatherBytesMax) handOver(false)
    return end.hasRoom()
  }

  return {
    head(status, headers, options) {
      head = { status, headers: framed(status, headers, request) }
      hasHead = true
      isChunked = headerIn(headers, "content-length") === undefined
      chunkPerWrite = options?.chunkPerWrite === true
    },
    write,
    writeUnframed(bytes) {
      // What was framed before arrives framed.
      if (!isRaw) handOver(false)
      isRaw = true
      pieces.push(bytes)
      handOver(false)
      return true
    },
    flush: () => handOver(false),
    finish(how, report) {
      if (how === "end" && isRaw && isChunked) pieces.push("0\r\n\r\n")
      handOver(how === "end")
      owner.finished(how, report ?? null)
    }
  }
}

/** The headers with what `node:http` and our adapter of it add. */
const framed = (status: number, headers: ReadonlyArray<string>, request: RequestHead): ReadonlyArray<string> => {
  const has = (name: string): boolean => headerIn(headers, name) !== undefined
  const isFramed = hasNoBody(status) || has("content-length") || has("transfer-encoding")
  const framing = isFramed ? [] : ["transfer-encoding", "chunked"]
  if (has("connection")) return [...headers, ...framing]
  return [...headers, ...framing, "Connection", wantsClose(request) ? "close" : "keep-alive"]
}

/** Whether a client wants its connection to end with the answer. */
export const wantsClose = ({ headers }: RequestHead): boolean =>
  /\bclose\b/i.test(firstHeader(headers, "connection") ?? "")

/** A copy of its own: who reads it may keep it. */
const bytesOf = (piece: string | Uint8Array): Uint8Array =>
  typeof piece === "string" ? utf8.encode(piece) : copiedBytes(piece)

const joined = (pieces: ReadonlyArray<string | Uint8Array>): Uint8Array => {
  if (pieces.every((piece) => typeof piece === "string")) return utf8.encode(pieces.join(""))
  const all = pieces.map(bytesOf)
  const bytes = new Uint8Array(all.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const piece of all) {
    bytes.set(piece, at)
    at += piece.byteLength
  }
  return all.length === 0 ? noBytes : bytes
}
