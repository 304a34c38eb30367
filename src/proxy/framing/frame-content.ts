import type { FramePart } from "../../wire/frames/frame-reader.ts"

/** The JSON in the body of a whole frame; `undefined` when it is none, or no UTF-8. */
export const jsonBody = ({ bytes, last }: FramePart): unknown => jsonIn(bytes.subarray(last?.headerBytes ?? 0))

/** One for all: to make one takes as long as to decode a small frame. */
const utf8 = new TextDecoder("utf-8", { fatal: true })

/** The JSON in bytes; `undefined` when they are none, or no UTF-8. */
export const jsonIn = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    return undefined
  }
}
