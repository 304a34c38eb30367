import { InvalidOption } from "../../domain/errors.ts"
import type { ControlDesk } from "./control-desk.ts"

/** So many commands of one client may wait at a time. */
export const waitsMax = 64

/** What one client has of the desk. */
export interface ClientDesk {
  readonly desk: ControlDesk
  /** Gives up whatever waits. */
  giveUp(): void
}

/**
 * The desk for one client: its waits are bounded, and given up with it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const deskFor = (shared: ControlDesk): ClientDesk => {
  // Each has its own: Node warns of a signal to which many listen.
  const waits = new Set<AbortController>()
  return {
    desk: {
      ...shared,
      wait(begin) {
        if (waits.size >= waitsMax) {
          const advice = "ask again when some of them are over"
          throw new InvalidOption(`${waitsMax} commands of this client wait already; ${advice}`)
        }
        const abort = new AbortController()
        const begun = shared.wait(begin, abort.signal)
        waits.add(abort)
        return begun.finally(() => {
          waits.delete(abort)
        })
      }
    },
    giveUp() {
      for (const abort of waits) abort.abort()
    }
  }
}
