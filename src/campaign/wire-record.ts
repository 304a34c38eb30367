import { clip } from "../domain/clip.ts"
import type { Header } from "../domain/request.ts"
import { isSecretHeader, type SecretSpan, secretSpans } from "../domain/secret-header.ts"
import type { HttpMessage, ResponseHead } from "../sim/transport-messages.ts"

/** What went over the wires of a run, by the steps at which it arrived. */
export interface WireRecord {
  arrived(step: number, channel: string, payload: HttpMessage | Uint8Array): void
  /** As text, clipped, without keys. */
  texts(): ReadonlyMap<number, string>
}

interface Piece {
  readonly step: number
  readonly channel: string
  readonly bytes: Buffer
}

/** So much is kept of a run, and told of a step. */
const bytesMax = 4 * 1024 * 1024
const textLengthMax = 4_096

/**
 * Records what goes over the wires of a run. Keys are looked for when all is there: they may be cut into segments, and come back
 * in answers.
 *
 * @since 0.1.0
 * @category constructors
 */
export const recordWire = (): WireRecord => {
  const pieces: Array<Piece> = []
  let size = 0
  return {
    arrived(step, channel, payload) {
      if (size >= bytesMax) return
      const bytes = payload instanceof Uint8Array ? Buffer.from(payload) : Buffer.concat(bytesOf(payload))
      size += bytes.byteLength
      if (bytes.byteLength > 0) pieces.push({ step, channel, bytes })
    },
    texts() {
      const texts = new Map<number, string>()
      for (const { step, text } of withoutKeys(pieces)) texts.set(step, `${texts.get(step) ?? ""}${text}`)
      return new Map([...texts].map(([step, text]) => [step, clip(text, textLengthMax)]))
    }
  }
}

/** A message as it would stand on a wire. */
const bytesOf = (message: HttpMessage): ReadonlyArray<Uint8Array> => {
  if (message.kind === "body") return [message.body]
  if (message.kind === "response")
    return [...(message.head === null ? [] : [responseHead(message.head)]), ...message.body]
  const { head, body } = message
  return [headOf(`${head.method} ${head.target} HTTP/1.1`, head.headers), body]
}

const responseHead = ({ status, headers }: ResponseHead): Uint8Array =>
  headOf(
    `HTTP/1.1 ${status}`,
    headers.flatMap((name, at): ReadonlyArray<Header> => (at % 2 === 0 ? [[name, headers[at + 1] ?? ""]] : []))
  )

const headOf = (line: string, headers: ReadonlyArray<Header>): Uint8Array =>
  Buffer.from(`${[line, ...headers.map(([name, value]) => `${name}: ${value}`)].join("\r\n")}\r\n\r\n`)

interface ShownPiece {
  readonly step: number
  readonly text: string
}

/** Each direction is read as one text, in which a character is a byte. */
const withoutKeys = (pieces: ReadonlyArray<Piece>): ReadonlyArray<ShownPiece> => {
  const streams = new Map<string, Array<Piece>>()
  for (const piece of pieces) {
    const stream = streams.get(piece.channel)
    if (stream === undefined) streams.set(piece.channel, [piece])
    else stream.push(piece)
  }
  const whole = [...streams.values()].map((stream) => {
    const text = Buffer.concat(stream.map(({ bytes }) => bytes)).toString("latin1")
    return { stream, text, values: secretValues(text) }
  })
  const secrets = whole.flatMap(({ text, values }) =>
    values.map(({ from, to }): Header => ["authorization", text.slice(from, to)])
  )
  return whole.flatMap(({ stream, text, values }) => {
    const marks = marksOf(text.length, [...values, ...secretSpans(text, secrets)])
    let at = 0
    return stream.map(({ step, bytes }) => {
      const from = at
      at += bytes.byteLength
      return { step, text: shown(bytes, marks.subarray(from, at)) }
    })
  })
}

/** Where the values of headers stand that hold keys. */
const secretValues = (text: string): ReadonlyArray<SecretSpan> =>
  [...text.matchAll(/^([\w-]+):[ \t]*([^\r\n]+)/gm)].flatMap((found) => {
    const [line, name = "", value = ""] = found
    const to = found.index + line.length
    return isSecretHeader(name) ? [{ from: to - value.length, to }] : []
  })

const keep = 0
const star = 1
const drop = 2
/** A key of whatever length is told as so many stars. */
const starsMax = 3

/** What becomes of each byte of a text in which spans are hidden. */
const marksOf = (length: number, spans: ReadonlyArray<SecretSpan>): Uint8Array => {
  const marks = new Uint8Array(length)
  for (const { from, to } of spans) marks.fill(drop, from, to)
  let hidden = 0
  for (let at = 0; at < length; at++) {
    hidden = marks[at] === keep ? 0 : hidden + 1
    if (hidden > 0 && hidden <= starsMax) marks[at] = star
  }
  return marks
}

const starCode = 0x2a

const shown = (bytes: Uint8Array, marks: Uint8Array): string => {
  const kept = bytes.map((byte, at) => (marks[at] === star ? starCode : byte)).filter((_, at) => marks[at] !== drop)
  return new TextDecoder().decode(kept)
}
