import { queuedBytesMax, queuedMsMax } from "../../domain/fake-leader-limits.ts"

/**
 * Lines that wait for a leader, for so long and in so many bytes.
 *
 * **Source** agent-harness.md, section 5.1, "Reconnect"
 *
 * @since 0.1.0
 * @category models
 */
export interface LineQueue {
  /** Gives whether there was room. */
  push(text: string): boolean
  /** All lines, oldest first, and apart from them those that have waited for too long; none is left. */
  take(): { readonly fresh: ReadonlyArray<string>; readonly old: ReadonlyArray<string> }
}

/** @since 0.1.0 @category constructors */
export const makeLineQueue = (now: () => number): LineQueue => {
  let lines: Array<{ readonly text: string; readonly at: number }> = []
  let bytes = 0
  return {
    push(text) {
      if (bytes + text.length > queuedBytesMax) return false
      bytes += text.length
      lines.push({ text, at: now() })
      return true
    },
    take() {
      const oldest = now() - queuedMsMax
      const firstFresh = lines.filter(({ at }) => at < oldest).length
      const texts = lines.map(({ text }) => text)
      lines = []
      bytes = 0
      return { fresh: texts.slice(firstFresh), old: texts.slice(0, firstFresh) }
    }
  }
}
