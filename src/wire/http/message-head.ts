import { latin1Bytes, latin1Text } from "./latin1.ts"

/** A line of headers: name in lower case, value without blanks around it, and the line as it came, its end included. */
export interface HeaderLine {
  readonly name: string
  readonly value: string
  readonly text: string
}

/** The first line of a message, read. */
export type StartLine =
  | { readonly kind: "request"; readonly method: string; readonly url: string; readonly version: "1.0" | "1.1" }
  | { readonly kind: "response"; readonly status: number; readonly version: "1.0" | "1.1" }

/**
 * The head of a message, from which its bytes can be had again.
 *
 * @since 0.1.0
 * @category models
 */
export interface MessageHead<Start extends StartLine = StartLine> {
  readonly start: Start
  /** The first line as it came, its end included. */
  readonly startText: string
  readonly lines: ReadonlyArray<HeaderLine>
  /** The empty line. */
  readonly endText: string
}

export type RequestStart = Extract<StartLine, { readonly kind: "request" }>
export type ResponseStart = Extract<StartLine, { readonly kind: "response" }>

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const requestLine = new RegExp(`^(${token}) (\\S+) HTTP/(1\\.[01])$`)
const statusLine = /^HTTP\/(1\.[01]) ([1-9]\d\d)(?: .*)?$/
const headerName = new RegExp(`^${token}$`)

/** Reads the first line of a request, or says what is wrong. */
export const readRequestLine = (line: string): RequestStart | string => {
  const [, method, url, version] = requestLine.exec(line) ?? []
  if (method === undefined || url === undefined) return `a request begins with ${noStart(line)}`
  return { kind: "request", method, url, version: version === "1.0" ? "1.0" : "1.1" }
}

/** The same of a response. */
export const readStatusLine = (line: string): ResponseStart | string => {
  const [, version, status] = statusLine.exec(line) ?? []
  if (status === undefined) return `a response begins with ${noStart(line)}`
  return { kind: "response", status: Number(status), version: version === "1.0" ? "1.0" : "1.1" }
}

/** What a line is that begins no message. It may be anything, a key too, so it is not shown. */
const noStart = (line: string): string => {
  const [version] = /HTTP\/(?:[02-9]|1\.[2-9])/.exec(line) ?? []
  return version === undefined
    ? `a line of ${line.length} bytes that is none of HTTP/1.1`
    : `a line of ${version}; of HTTP, 1.0 and 1.1 are read`
}

/**
 * Reads a head, from its first byte to its empty line.
 *
 * **Takes** the block, and how its first line is read
 * **Gives** the head, or what is wrong with it, as a sentence
 * **Source** RFC 9112, sections 3 to 5
 *
 * @since 0.1.0
 * @category encoding
 */
export const readMessageHead = <Start extends StartLine>(
  block: Uint8Array,
  readStart: (line: string) => Start | string
): MessageHead<Start> | string => {
  const [startText = "", ...texts] = latin1Text(block).split(/(?<=\n)/)
  const start = readStart(withoutEnd(startText))
  if (typeof start === "string") return start
  const endText = texts.pop() ?? ""
  const lines: Array<HeaderLine> = []
  for (const [place, text] of texts.entries()) {
    const line = withoutEnd(text)
    const colon = line.indexOf(":")
    const name = line.slice(0, Math.max(0, colon))
    // Neither its name nor its value is shown: where it is no header, a key may stand anywhere.
    if (!headerName.test(name))
      return `line ${place + 2} of a head, of ${line.length} bytes, is no header${colon < 0 ? ": it has no colon" : ""}`
    lines.push({ name: name.toLowerCase(), value: withoutBlanks(line.slice(colon + 1)), text })
  }
  return { start, startText, lines, endText }
}

const isBlank = (text: string, at: number): boolean => text[at] === " " || text[at] === "\t"

/** Without the blanks around it. By hand, as an expression for it would look at every blank from every other. */
const withoutBlanks = (text: string): string => {
  let from = 0
  let to = text.length
  while (from < to && isBlank(text, from)) from++
  while (to > from && isBlank(text, to - 1)) to--
  return text.slice(from, to)
}

const withoutEnd = (text: string): string => text.replace(/\r?\n$/, "")

/** The bytes of a head. */
export const headBytes = ({ startText, lines, endText }: MessageHead): Uint8Array =>
  latin1Bytes([startText, ...lines.map(({ text }) => text), endText].join(""))

/** A line with another value, or also another name, in the form of the old one. */
export const changedLine = (
  line: HeaderLine,
  changed: { readonly name?: string; readonly value: string }
): HeaderLine => {
  const { name = line.name, value } = changed
  const written = changed.name ?? line.text.slice(0, line.name.length)
  const end = /\r?\n$/.exec(line.text)?.[0] ?? "\r\n"
  return { name, value, text: `${written}: ${value}${end}` }
}

/** The values of a header, in order. */
export const headerValues = ({ lines }: MessageHead, name: string): ReadonlyArray<string> =>
  lines.filter((line) => line.name === name).map(({ value }) => value)
