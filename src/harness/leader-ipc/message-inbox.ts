import { makeFifo } from "../../domain/fifo.ts"
import { unreceivedBytesMax, unreceivedMax } from "../../domain/leader-ipc-limits.ts"
import type { Supervisor } from "../../supervisor/supervisor.ts"
import { type IpcWait, makeIpcWait } from "./ipc-wait.ts"

/**
 * Payloads that have come and were not received, and those who wait for the next one, first come first served.
 *
 * @since 0.1.0
 * @category models
 */
export interface MessageInbox {
  put(payload: string): void
  /** Waits for the next payload; `ms` is already scaled. */
  take(ms: number, late: () => Error): Promise<string>
  /** Nothing comes any more: what is there can still be taken, and who waits fails. */
  end(error: Error): void
  /** How many wait to be received. */
  size(): number
  /** How many were lost because nobody received them. */
  dropped(): number
}

/** @since 0.1.0 @category constructors */
export const makeMessageInbox = (supervisor: Supervisor): MessageInbox => {
  const unread = makeFifo<string>()
  /** In the order in which they came. */
  const waits = new Set<IpcWait<string>>()
  let unreadLength = 0
  let dropped = 0
  let over: Error | null = null

  const shift = (): string | undefined => {
    const payload = unread.shift()
    unreadLength -= payload?.length ?? 0
    return payload
  }

  const wait = (ms: number, late: () => Error): Promise<string> =>
    new Promise((resolve, reject) => {
      const made: IpcWait<string> = makeIpcWait<string>(supervisor, {
        ms,
        resolve,
        reject,
        late() {
          waits.delete(made)
          return late()
        }
      })
      waits.add(made)
    })

  return {
    put(payload) {
      const [first] = waits
      if (first !== undefined) {
        waits.delete(first)
        first.found(payload)
        return
      }
      unread.push(payload)
      unreadLength += payload.length
      while (unread.size() > unreceivedMax || (unreadLength > unreceivedBytesMax && unread.size() > 1)) {
        shift()
        dropped++
      }
    },
    async take(ms, late) {
      const payload = shift()
      if (payload !== undefined) return payload
      if (over !== null) throw over
      return wait(ms, late)
    },
    end(error) {
      over ??= error
      for (const waiting of waits) waiting.over(error)
      waits.clear()
    },
    size: unread.size,
    dropped: () => dropped
  }
}
