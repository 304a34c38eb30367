import type { Clock } from "../kernel/clock.ts"
import type { Listener } from "../serving/listener.ts"
import type { FaultRecords } from "./fault-records.ts"
import type { Gap } from "./script-entry.ts"

/**
 * Times during which a port refuses connects: from the script, or because a test says so. Two gaps add up.
 *
 * **Source** fault-server.md, section 9.2
 *
 * @since 0.1.0
 * @category services
 */
export interface GapKeeper {
  begin(gap: Gap): void
  /** Refuses until `accept`. */
  refuse(): void
  accept(): void
  /** Somebody tried to connect in vain; only simulation can tell. */
  refused(): void
  /** The listener has turned. */
  turned(isAccepting: boolean): void
  /** No timer is left. */
  end(): void
}

/** @since 0.1.0 @category constructors */
export const makeGapKeeper = (options: {
  readonly clock: Clock
  readonly records: FaultRecords
  readonly listener: () => Listener
  readonly baseURL: () => string
}): GapKeeper => {
  const { clock, records, listener, baseURL } = options
  let isRefusing = false
  let until: number | null = null
  let connectsLeft = 0
  let forget: (() => void) | null = null

  const accept = (): void => {
    if (!isRefusing) return
    isRefusing = false
    until = null
    connectsLeft = 0
    forget?.()
    forget = null
    listener().accept()
  }
  const start = (listenDelayMs: number | null): void => {
    const wasRefusing = isRefusing
    isRefusing = true
    if (!wasRefusing) listener().refuse()
    records.tell({ type: "unavailable", baseURL: baseURL(), listenDelayMs })
  }
  return {
    begin(gap) {
      if (gap.kind === "connects") {
        connectsLeft += gap.count
        start(null)
        return
      }
      until = Math.max(until ?? 0, clock.now()) + gap.ms
      forget?.()
      // Armed before it is told: who hears of it may close the server.
      forget = clock.arm(until - clock.now(), "gap", accept)
      start(gap.ms)
    },
    refuse() {
      forget?.()
      forget = null
      until = null
      start(null)
    },
    accept,
    refused() {
      if (connectsLeft > 0 && --connectsLeft === 0) accept()
    },
    turned(isAccepting) {
      if (isAccepting) records.tell({ type: "available", baseURL: baseURL() })
    },
    end() {
      forget?.()
      forget = null
      isRefusing = false
    }
  }
}
