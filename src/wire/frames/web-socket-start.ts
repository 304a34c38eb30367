/** The longest header: two bytes, a length of 64 bits, and a mask. */
export const webSocketHeaderBytesMax = 14

export const maskBytes = 4

/** Those that are missing are reserved. */
const kinds: Readonly<Record<number, string>> = {
  0: "continuation",
  1: "text",
  2: "binary",
  8: "close",
  9: "ping",
  10: "pong"
}

/** What kind of frame begins with a byte. */
export const kindOf = (first: number): string => kinds[first & 0x0f] ?? "reserved"

export const isText = (first: number): boolean => (first & 0x0f) === 1
/** Whether a frame that begins with a byte is the last of its message. */
export const isFinal = (first: number): boolean => first >= 0x80
export const isControl = (first: number): boolean => (first & 0x08) !== 0
/** Whether an extension has changed the payload, as by compression. */
export const isExtended = (first: number): boolean => (first & 0x70) !== 0
export const isMasked = (second: number): boolean => second >= 0x80

/** The length of a header, of which the second byte is enough to tell. */
export const headerBytesOf = (second: number): number => {
  const form = second & 0x7f
  const bytes = second >= 0x80 ? 2 + maskBytes : 2
  if (form < 126) return bytes
  return bytes + (form === 126 ? 2 : 8)
}

/** The length of the payload, of a header that is there whole. */
export const payloadBytesAt = (view: DataView, at: number): number => {
  const form = view.getUint8(at + 1) & 0x7f
  if (form < 126) return form
  return form === 126 ? view.getUint16(at + 2) : Number(view.getBigUint64(at + 2))
}
