import { copiedBytes } from "../../domain/copied-bytes.ts"
import type { RewriteLength } from "./plan-frame.ts"

/** For framings without a length. */
export const noLength: RewriteLength = (header) => header

/** A prefix of some bytes; of the length those bits stay that it has room for. */
export const prefixLength =
  ({ isLittleEndian = false }: { readonly isLittleEndian?: boolean } = {}): RewriteLength =>
  (header, length) => {
    const bytes = bytesOf(length, header.length)
    return isLittleEndian ? bytes.reverse() : bytes
  }

/** The digits of the `Content-Length` line, of which there may be more or fewer than before. */
export const contentLengthDigits: RewriteLength = (header, length) => {
  const text = String.fromCharCode(...header)
  const changed = text.replace(/^(content-length[ \t]*:[ \t]*)\d+/im, (_, name: string) => `${name}${length}`)
  return Uint8Array.from(changed, (letter) => letter.charCodeAt(0))
}

const lengthBits = 0x7f

/** The length of a WebSocket frame, in the form that it has: 7, 16 or 64 bits. */
export const webSocketLength: RewriteLength = (header, length) => {
  const second = header[1]
  if (second === undefined) return header
  const changed = copiedBytes(header)
  const form = second & lengthBits
  if (form < 126) changed[1] = (second & ~lengthBits) | (length & lengthBits)
  else changed.set(bytesOf(length, form === 126 ? 2 : 8), 2)
  return changed
}

/** The lowest bytes of a number, the highest of them first. */
const bytesOf = (value: number, count: number): Uint8Array => {
  const bytes = new Uint8Array(count)
  let rest = BigInt(value)
  for (let at = count - 1; at >= 0; at--) {
    bytes[at] = Number(rest & 0xffn)
    rest >>= 8n
  }
  return bytes
}
