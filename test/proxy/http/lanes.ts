import type { ReaderTerms } from "../../../src/proxy/framing/framing.ts"
import { type HttpFramingOptions, openHttpFraming } from "../../../src/proxy/http/open-http-framing.ts"
import type { Direction } from "../../../src/proxy/plan/fault-program.ts"
import type { FramePart, FrameReader, FrameWish } from "../../../src/wire/frames/frame-reader.ts"
import { latin1Bytes, latin1Text } from "../../../src/wire/http/latin1.ts"

/** As much as there is, in any pieces. */
export const run: FrameWish = { most: Number.POSITIVE_INFINITY, isWhole: false }
/** One frame, whole. */
export const one: FrameWish = { most: 1, isWhole: true }

export const bytesOf = latin1Bytes

/** The bytes of a part as they go on. */
export const writtenBytes = ({ bytes, envelope }: FramePart): Uint8Array => envelope?.(bytes) ?? bytes

export const writtenText = (parts: ReadonlyArray<FramePart>): string =>
  parts.map((part) => latin1Text(writtenBytes(part))).join("")

/** Feeds a chunk, and takes what it gives. */
export const fed = (reader: FrameReader, chunk: string | Uint8Array, wish = one): ReadonlyArray<FramePart> => {
  reader.feed(typeof chunk === "string" ? latin1Bytes(chunk) : chunk)
  return taken(reader, wish)
}

export const taken = (reader: FrameReader, wish = one): ReadonlyArray<FramePart> => {
  const parts: Array<FramePart> = []
  for (let part = reader.next(wish); part !== null; part = reader.next(wish)) parts.push(part)
  return parts
}

/** Parts in short: kind of the frame that ends, or a dash, and what is written. */
export const shown = (parts: ReadonlyArray<FramePart>): ReadonlyArray<string> =>
  parts.map((part) => `${part.last?.kind ?? "-"} ${latin1Text(writtenBytes(part))}`)

export type Readers = Readonly<Record<Direction, FrameReader>>

/** A request goes through, so that its response is known for one. */
export const ask = (readers: Readers, request = "GET / HTTP/1.1\r\n\r\n"): ReadonlyArray<FramePart> =>
  fed(readers.clientToLeader, request)

export const open = (options: HttpFramingOptions = {}, terms: ReaderTerms = {}): Readers =>
  openHttpFraming(options).open(terms)

/** A response to a GET, in short. */
export const answered = (response: string, wish = one, readers = open()): ReadonlyArray<string> => {
  ask(readers)
  return shown(fed(readers.leaderToClient, response, wish))
}

/** Heads of a body in chunks, the first one without its end. */
export const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n"
export const events = `${chunked}content-type: text/event-stream; charset=utf-8\r\n\r\n`
export const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`
