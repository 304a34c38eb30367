import { describe } from "../../domain/json.ts"
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
const headerLine = new RegExp(`^(${token}):[ \\t]*(.*?)[ \\t]*$`)

/** Reads the first line of a request, or says what is wrong. */
export const readRequestLine = (line: string): RequestStart | string => {
  const [, method, url, version] = requestLine.exec(line) ?? []
  if (method === undefined || url === undefined) return `a request begins with ${describe(line)}${advice(line)}`
  return { kind: "request", method, url, version: version === "1.0" ? "1.0" : "1.1" }
}

/** The same of a response. */
export const readStatusLine = (line: string): ResponseStart | string => {
  const [, version, status] = statusLine.exec(line) ?? []
  if (status === undefined) return `a response begins with ${describe(line)}${advice(line)}`
  return { kind: "response", status: Number(status), version: version === "1.0" ? "1.0" : "1.1" }
}

const advice = (line: string): string =>
  /HTTP\/(?:[02-9]|1\.[2-9])/.test(line) ? "; of HTTP, 1.0 and 1.1 are read" : ", which is no line of HTTP/1.1"

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
  for (const text of texts) {
    const line = withoutEnd(text)
    const [, name, value] = headerLine.exec(line) ?? []
    if (name === undefined || value === undefined) return `a head has the line ${shown(line)}, which is no header`
    lines.push({ name: name.toLowerCase(), value, text })
  }
  return { start, startText, lines, endText }
}

/** Values may be secret. */
const shown = (line: string): string => {
  const colon = line.indexOf(":")
  return describe(colon < 0 ? line : `${line.slice(0, colon)}: …`)
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
