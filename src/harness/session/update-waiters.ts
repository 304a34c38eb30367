import { WaitTimeout } from "../../domain/harness-errors.ts"
import type { Clock } from "../../kernel/clock.ts"

/**
 * Who waits for something to come over the wire.
 *
 * **Source** agent-harness.md, section 2.6
 */
export interface Waiters<A> {
  /**
   * Gives the first that matches, of those that are offered from now on.
   *
   * **Fails** with `WaitTimeout`, with what the predicate throws, and with the end of the session
   */
  wait(matches: (item: A) => boolean, options: { readonly what: string; readonly ms: number | null }): Promise<A>
  /** Gives `item` to everybody whom it matches; whether there was anybody. */
  offer(item: A): boolean
  /** Nothing more will come. */
  end(error: Error): void
}

interface Waiter<A> {
  offer(item: A): boolean
  fail(error: Error): void
}

/** `diagnostics` is what is known of the agent when somebody waited in vain. @since 0.1.0 @category constructors */
export const makeWaiters = <A>(clock: Clock, diagnostics: () => string): Waiters<A> => {
  const waiting = new Set<Waiter<A>>()
  let over: Error | null = null
  return {
    wait(matches, { what, ms }) {
      return new Promise((resolve, reject) => {
        if (over !== null) return reject(over)
        const leave = (): void => {
          waiting.delete(waiter)
          forget()
        }
        const waiter: Waiter<A> = {
          offer(item) {
            try {
              if (!matches(item)) return false
              resolve(item)
            } catch (error) {
              reject(error)
            }
            leave()
            return true
          },
          fail(error) {
            leave()
            reject(error)
          }
        }
        const late = (): void => waiter.fail(new WaitTimeout(what, { ms: ms ?? 0, diagnostics: diagnostics() }))
        const forget = ms === null ? () => {} : clock.arm(ms, "session wait", late)
        waiting.add(waiter)
      })
    },
    offer(item) {
      let isTaken = false
      for (const waiter of [...waiting]) isTaken = waiter.offer(item) || isTaken
      return isTaken
    },
    end(error) {
      over ??= error
      for (const waiter of [...waiting]) waiter.fail(error)
    }
  }
}
