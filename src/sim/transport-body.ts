import { copiedBytes } from "../domain/copied-bytes.ts"
import { hasNoBody } from "../domain/status.ts"
import { transportErrors } from "./transport-errors.ts"
import { headerIn, type ResponseHead } from "./transport-messages.ts"

/** Where the bytes of a body go. */
export interface BodyOut {
  data(bytes: Uint8Array): void
  /** The body is whole; `isClean` says that the connection can be used again. */
  whole(isClean: boolean): void
  failed(error: Error): void
}

/** Finds the end of a body, as a parser of HTTP/1.1 does. After `whole` or `failed` it takes nothing more. */
export interface BodyReader {
  /** The head was told; a body that has no bytes is whole now. */
  begin(): void
  bytes(piece: Uint8Array): void
  /** The same, with the framing of chunks in it. */
  raw(piece: Uint8Array): void
  /** The server says that this was all. */
  end(): void
  /** What a connection that ends here means. */
  cutOff(error: Error): Error
}

/** @since 0.1.0 @category constructors */
export const makeBodyReader = (method: string, head: ResponseHead, out: BodyOut): BodyReader => {
  const announced = headerIn(head.headers, "content-length")
  const length = announced === undefined ? null : Number.parseInt(announced, 10)
  const isKept = !/\bclose\b/i.test(headerIn(head.headers, "connection") ?? "")
  const chunks = makeChunkReader()
  let received = 0
  let isOver = false

  const whole = (isClean: boolean): void => {
    isOver = true
    // Clients close behind HEAD: some servers send a body in spite of it.
    out.whole(isClean && isKept && method !== "HEAD")
  }

  const bytes = (piece: Uint8Array): void => {
    if (isOver || piece.byteLength === 0) return
    const room = length === null ? piece.byteLength : length - received
    const taken = piece.byteLength > room ? piece.subarray(0, room) : piece
    received += taken.byteLength
    out.data(taken)
    if (length !== null && received >= length) whole(piece.byteLength <= room)
  }

  const raw = (piece: Uint8Array): void => {
    const found = length === null ? chunks.read(piece) : [{ kind: "data", bytes: piece } as const]
    for (const one of found) {
      if (isOver) return
      if (one.kind === "data") bytes(one.bytes)
      else if (one.kind === "end") whole(true)
      else {
        isOver = true
        out.failed(transportErrors.badResponse(one.reason))
      }
    }
  }

  return {
    begin() {
      if (method === "HEAD" || hasNoBody(head.status) || length === 0) whole(true)
    },
    bytes,
    raw,
    end() {
      // With a length in its head, the length alone says where a body ends.
      if (!isOver && length === null) whole(true)
    },
    cutOff(error) {
      if (isKept) return error
      if (length !== null && received !== length) return transportErrors.wrongLength()
      return transportErrors.badResponse("Invalid EOF state")
    }
  }
}

type Found =
  | { readonly kind: "data"; readonly bytes: Uint8Array }
  | { readonly kind: "end" }
  | { readonly kind: "bad"; readonly reason: string }

const badSize: Found = { kind: "bad", reason: "Invalid character in chunk size" }
const badEnd: Found = { kind: "bad", reason: "Expected LF after chunk data" }

/** A line of chunk framing is not longer. */
const lineMax = 1_024

/** Reads the body of a chunked message; trailers are skipped. */
const makeChunkReader = (): { read(piece: Uint8Array): ReadonlyArray<Found> } => {
  let at: "size" | "data" | "dataEnd" | "trailer" | "over" = "size"
  let line = ""
  let left = 0

  /** A whole line without its end, when there is one. */
  const takeLine = (byte: number): string | null => {
    if (byte !== 10) {
      line += String.fromCharCode(byte)
      return null
    }
    const whole = line.replace(/\r$/, "")
    line = ""
    return whole
  }

  const afterSize = (text: string): Found | null => {
    left = Number.parseInt(text, 16)
    at = left === 0 ? "trailer" : "data"
    return null
  }

  const take = (byte: number): Found | null => {
    const isSize = at === "size"
    if (isSize && line === "" && !/[0-9a-f]/i.test(String.fromCharCode(byte))) return badSize
    const whole = takeLine(byte)
    if (isSize && !/^[0-9a-f]+(?:[\s;].*)?\r?$/i.test(whole ?? line)) return badSize
    if (at === "dataEnd" && whole === null && line !== "\r") return badEnd
    if (line.length > lineMax) return badSize
    if (whole === null) return null
    if (isSize) return afterSize(whole)
    if (at === "dataEnd") at = "size"
    else if (whole === "") {
      at = "over"
      return { kind: "end" }
    }
    return null
  }

  return {
    read(piece) {
      const found: Array<Found> = []
      let position = 0
      while (position < piece.byteLength && at !== "over") {
        if (at === "data") {
          const bytes = copiedBytes(piece, position, position + left)
          position += bytes.byteLength
          left -= bytes.byteLength
          if (left === 0) at = "dataEnd"
          found.push({ kind: "data", bytes })
          continue
        }
        const one = take(piece[position++] ?? 0)
        if (one === null) continue
        found.push(one)
        if (one.kind === "bad") at = "over"
      }
      return found
    }
  }
}
