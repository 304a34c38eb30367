import type { TraceEvent } from "../domain/trace-event.ts"

/**
 * Keeps keys out of what is written. Events hold no headers; a key can only come in with a path that a client sent.
 *
 * @since 0.1.0
 * @category services
 */
export interface Redaction {
  /** Hides this key from now on; older ones stay hidden. */
  add(key: string): void
  text(text: string): string
  event(event: TraceEvent): TraceEvent
}

/** @since 0.1.0 @category constructors */
export const makeRedaction = (): Redaction => {
  const hidden = new Set<string>()
  const redact = (text: string): string => {
    let result = text
    for (const key of hidden) result = result.replaceAll(key, "***")
    return result
  }
  return {
    add(key) {
      hidden.add(key)
      hidden.add(encodeURIComponent(key))
    },
    text: redact,
    event: (event) => ("path" in event ? { ...event, path: redact(event.path) } : event)
  }
}
