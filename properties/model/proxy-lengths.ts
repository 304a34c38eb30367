import type { FramingChoice } from "../../src/proxy/proxy-options.ts"

/** A header in which the length says `value`, as far as its field has room. */
export const relengthed = (
  choice: FramingChoice,
  header: ReadonlyArray<number>,
  value: number
): ReadonlyArray<number> => {
  const options = typeof choice === "string" ? { type: choice } : choice
  if (options.type === "lengthPrefixed") {
    const isLittle = "endian" in options && options.endian === "little"
    const bytes = lowest(value, header.length)
    return isLittle ? bytes.reverse() : bytes
  }
  if (options.type === "contentLength") {
    const lines = String.fromCharCode(...header).split("\n")
    const changed = lines.map((line) =>
      line.toLowerCase().startsWith("content-length:") ? line.replace(/\d+/, String(value)) : line
    )
    return [...changed.join("\n")].map((letter) => letter.charCodeAt(0))
  }
  return options.type === "webSocket" ? webSocketLength(header, value) : header
}

const webSocketLength = ([first = 0, second = 0, ...rest]: ReadonlyArray<number>, value: number) => {
  const isMasked = second >= 128
  const form = second % 128
  if (form < 126) return [first, (isMasked ? 128 : 0) + (value % 128), ...rest]
  const room = form === 126 ? 2 : 8
  return [first, second, ...lowest(value, room), ...rest.slice(room)]
}

/** The lowest bytes of a number, the highest of them first. */
const lowest = (value: number, count: number): Array<number> =>
  Array.from({ length: count }, (_, place) => Math.floor(value / 256 ** (count - 1 - place)) % 256)
