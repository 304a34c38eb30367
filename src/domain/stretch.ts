import type { WireStep } from "./plan.ts"

/** No stretch is longer than this, unless one event alone is, so that back-pressure is felt. */
export const stretchBytesMax = 64 * 1024

/** Joins chunks that follow each other without a pause into writes; each stays a chunk of its own. */
export interface ChunkStretch {
  add(bytes: string | Uint8Array, events: number): void
  /** Bytes past the framing of HTTP, which are a write of their own. */
  addUnframed(bytes: string | Uint8Array, events: number): void
  /** Puts what was gathered into the steps. */
  end(): void
}

/**
 * What is gathered goes into `steps`. A text counts by its length, and is joined with texts alone.
 *
 * **Source** fault-server.md, section 7: a run of events without pause or barrier is one action
 *
 * @since 0.1.0
 * @category plans
 */
export const makeChunkStretch = (steps: Array<WireStep>): ChunkStretch => {
  let chunks: Array<string | Uint8Array> = []
  let length = 0
  let events = 0

  const end = (): void => {
    const [first] = chunks
    if (first === undefined) return
    if (chunks.length === 1) steps.push({ kind: "write", bytes: first, events })
    else steps.push({ kind: "write", bytes: joined(chunks, length), events, chunkEnds: endsOf(chunks) })
    chunks = []
    length = 0
    events = 0
  }

  return {
    add(bytes, more) {
      const isOther = chunks.length > 0 && typeof chunks[0] !== typeof bytes
      if (isOther || length + bytes.length > stretchBytesMax) end()
      chunks.push(bytes)
      length += bytes.length
      events += more
    },
    addUnframed(bytes, own) {
      end()
      steps.push({ kind: "write", bytes, events: own, isUnframed: true })
    },
    end
  }
}

const endsOf = (chunks: ReadonlyArray<string | Uint8Array>): ReadonlyArray<number> => {
  let at = 0
  return chunks.map((chunk) => (at += chunk.length))
}

const joined = (chunks: ReadonlyArray<string | Uint8Array>, length: number): string | Uint8Array => {
  if (typeof chunks[0] === "string") return chunks.join("")
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    if (typeof chunk !== "string") whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
