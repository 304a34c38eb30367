import { isRecord } from "./json.ts"
import { recordBytesMax } from "./session-limits.ts"

/**
 * About how many bytes a decoded JSON value takes in memory, which may be many times its text: a list of empty lists has three
 * characters a member and forty bytes. An upper estimate for small numbers and short names; the names of members are shared.
 *
 * @since 0.1.0
 * @category encoding
 */
export const heldBytes = (value: unknown): number => {
  let bytes = 0
  // No recursion: what an agent nests is as deep as it likes.
  const left: Array<unknown> = [value]
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next === "string") bytes += textBytes + 2 * next.length
    else if (Array.isArray(next)) {
      bytes += listBytes
      for (const item of next) left.push(item)
    } else if (isRecord(next)) {
      bytes += recordBytes
      for (const name in next) left.push(next[name])
    }
    bytes += slotBytes
  }
  return bytes
}

/**
 * What a record of an agent's words counts for where many are kept: at most half of the bound, so that a large one does not push out
 * all small ones.
 *
 * @since 0.1.0
 * @category encoding
 */
export const recordedBytes = (value: unknown): number => Math.min(heldBytes(value), recordBytesMax / 2)

const slotBytes = 8
const textBytes = 16
const listBytes = 32
const recordBytes = 40
