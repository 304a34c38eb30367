import type { FrameProblem } from "../../wire/frames/framing.ts"
import { gatheredBytes } from "../../wire/frames/gathered-bytes.ts"

/** The head of a request or a response may have so many bytes. */
export const preambleBytesMax = 65_536

/** Finds where a head of HTTP ends, wherever its bytes are cut. */
export interface PreambleReader {
  /** Takes of a chunk what belongs to the head. **Gives** how many bytes that are; the head is complete when `head` says so. */
  take(chunk: Uint8Array): number
  /** The head with the empty line at its end; null before it is complete. It is given once, and another may begin. */
  head(): Uint8Array | null
  /** What there is of a head that will not be complete. */
  rest(): Uint8Array
  heldBytes(): number
  failure(): FrameProblem | null
}

const end = [0x0d, 0x0a, 0x0d, 0x0a]

/**
 * **Fails** with a bad header when there are more than 64 KiB without an empty line
 *
 * @since 0.1.0
 * @category constructors
 */
export const preambleReader = (): PreambleReader => {
  const gathered = gatheredBytes()
  /** How many bytes of `end` came last. */
  let matched = 0
  let failure: FrameProblem | null = null

  const endIn = (chunk: Uint8Array): number => {
    const last = Math.min(chunk.length, preambleBytesMax - gathered.bytes())
    for (let at = 0; at < last; at++) {
      const byte = chunk[at]
      if (byte === end[matched]) matched++
      else matched = byte === end[0] ? 1 : 0
      if (matched === end.length) return at + 1
    }
    if (last < chunk.length)
      failure = { reason: "bad header", message: `a head of HTTP has no end within ${preambleBytesMax} bytes` }
    return last
  }

  return {
    take(chunk) {
      const bytes = endIn(chunk)
      if (failure === null) gathered.add(chunk.subarray(0, bytes), null)
      else gathered.take()
      return bytes
    },
    head() {
      if (matched < end.length) return null
      matched = 0
      return gathered.take()
    },
    rest: () => gathered.take(),
    heldBytes: () => gathered.bytes(),
    failure: () => failure
  }
}

/** Whether the head of a request asks for a web socket. */
export const asksForWebSocket = (head: Uint8Array): boolean =>
  /^upgrade[ \t]*:(?:.*,)?[ \t]*websocket[ \t]*(?:,.*)?\r?$/im.test(new TextDecoder("latin1").decode(head))

/** The status of the head of a response; null when it has none. */
export const statusOf = (head: Uint8Array): number | null => {
  const [, status] = /^HTTP\/\d(?:\.\d)? (\d{3})(?: |\r)/.exec(new TextDecoder("latin1").decode(head)) ?? []
  return status === undefined ? null : Number(status)
}
