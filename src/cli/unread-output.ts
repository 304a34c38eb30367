import type { Writable } from "node:stream"
import type { Clock } from "../kernel/clock.ts"

/** A reader that takes nothing for so long, in milliseconds, is not waited for any more when the command was told to stop. */
export const unreadMs = 10_000

/**
 * Ends a process that has only output left which nobody reads: it would stay until it is killed.
 *
 * **Takes** `exit`, called when nothing of the output was taken for `unreadMs`
 *
 * @since 0.1.0
 * @category running
 */
export const leaveUnread = (
  outputs: ReadonlyArray<Pick<Writable, "writableLength">>,
  { clock, exit }: { readonly clock: Pick<Clock, "arm">; readonly exit: () => void }
): void => {
  const left = (): number => outputs.reduce((sum, { writableLength }) => sum + writableLength, 0)
  const watch = (before: number, quietMs: number): void => {
    if (before === 0) return
    clock.arm(lookMs, "cli/unread", () => {
      const now = left()
      const quiet = now === before ? quietMs + lookMs : 0
      if (quiet >= unreadMs) exit()
      else watch(now, quiet)
    })
  }
  watch(left(), 0)
}

const lookMs = 500
