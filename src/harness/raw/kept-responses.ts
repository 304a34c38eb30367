import { member } from "../../domain/json.ts"
import { keptBytesMax, keptEntriesMax } from "../../domain/raw-limits.ts"
import type { JsonMessage } from "./raw-client.ts"

/**
 * Responses that came while somebody waited for something else, in the order in which they came.
 *
 * **Source** agent-harness.md, section 3.5
 */
export interface KeptResponses {
  /** **Takes** the text of a response whose id is a string. */
  keep(text: string): void
  has(id: string): boolean
  /** Takes the first response to an id out. */
  take(id: string): JsonMessage | undefined
}

interface Kept {
  readonly id: string
  readonly message: JsonMessage
  readonly size: number
}

/** @since 0.1.0 @category constructors */
export const makeKeptResponses = (
  limits: { readonly entriesMax: number; readonly bytesMax: number } = {
    entriesMax: keptEntriesMax,
    bytesMax: keptBytesMax
  }
): KeptResponses => {
  const kept = new Map<number, Kept>()
  let total = 0
  let sizes = 0

  const remove = (seq: number): void => {
    sizes -= kept.get(seq)?.size ?? 0
    kept.delete(seq)
  }
  const find = (id: string): number | undefined => {
    for (const [seq, one] of kept) if (one.id === id) return seq
    return undefined
  }
  return {
    keep(text) {
      const message: JsonMessage = JSON.parse(text)
      const id = member(message, "id")
      if (typeof id !== "string") return
      kept.set(total++, { id, message, size: text.length })
      sizes += text.length
      for (const seq of kept.keys()) {
        if (kept.size <= limits.entriesMax && (sizes <= limits.bytesMax || kept.size === 1)) return
        remove(seq)
      }
    },
    has: (id) => find(id) !== undefined,
    take(id) {
      const seq = find(id)
      if (seq === undefined) return undefined
      const message = kept.get(seq)?.message
      remove(seq)
      return message
    }
  }
}
