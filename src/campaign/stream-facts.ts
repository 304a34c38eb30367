import { clip } from "../domain/clip.ts"
import type { SseEvent } from "../domain/sse-event.ts"
import { eventReader } from "../wire/sse-reader.ts"

/** An event of a stream, as judges want it. */
export interface StreamFact {
  readonly text: string
  readonly isTerminal: boolean
}

/** So much of an event is told. */
const textMax = 200

/** Events of Responses and Messages after which a stream has nothing to say. */
const lastNames: ReadonlyArray<string> = ["response.completed", "response.incomplete", "message_stop"]

/**
 * Reads the stream of one answer up to its last event, in whichever of the three APIs: what a provider sends behind that
 * (usage, `[DONE]`, the same again) says nothing about the client.
 *
 * @since 0.1.0
 * @category readers
 */
export const streamFacts = (): ((bytes: Uint8Array) => ReadonlyArray<StreamFact>) => {
  const decoder = new TextDecoder()
  const reader = eventReader()
  let isOver = false
  return (bytes) => {
    if (isOver) return []
    const facts: Array<StreamFact> = []
    for (const event of reader.push(decoder.decode(bytes, { stream: true }))) {
      const isTerminal = isLast(event)
      facts.push({ text: clip(event.data, textMax), isTerminal })
      isOver = isTerminal
      if (isOver) break
    }
    return facts
  }
}

const isLast = ({ event, data }: SseEvent): boolean => {
  if (data === "[DONE]") return true
  // A failed response is no answer: who takes it for one has lost something.
  if (event !== null) return lastNames.includes(event)
  return finishReason.test(data)
}

/** A chunk of chat that says why the model stopped; inside of texts the quotes are escaped. */
const finishReason = /"finish_reason"\s*:\s*"/
