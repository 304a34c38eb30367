import { gatheredBytes } from "./gathered-bytes.ts"
import {
  headerBytesOf,
  isControl,
  isExtended,
  isFinal,
  isMasked,
  isText,
  maskBytes,
  payloadBytesAt
} from "./web-socket-start.ts"

/**
 * The text of a message, its frames one behind the other, with the masks taken off.
 *
 * **Gives** UTF-8; null when it is no text, or not whole, or an extension has changed it
 *
 * @since 0.1.0
 * @category encoding
 */
export const webSocketText = (frames: Uint8Array): Uint8Array | null => {
  const view = new DataView(frames.buffer, frames.byteOffset, frames.length)
  const text = gatheredBytes()
  let isWhole = false
  for (let at = 0; at < frames.length; ) {
    const first = view.getUint8(at)
    if (isExtended(first) || isControl(first) || (at === 0 && !isText(first))) return null
    const second = view.getUint8(at + 1)
    const from = at + headerBytesOf(second)
    const end = from + payloadBytesAt(view, at)
    const payload = frames.subarray(from, end)
    text.add(isMasked(second) ? unmasked(payload, frames.subarray(from - maskBytes, from)) : payload, null)
    isWhole = isFinal(first)
    at = end
  }
  return isWhole ? text.take() : null
}

const unmasked = (payload: Uint8Array, mask: Uint8Array): Uint8Array =>
  payload.map((byte, place) => byte ^ (mask[place % maskBytes] ?? 0))
