import type { Clock } from "../kernel/clock.ts"
import type { Listener } from "../serving/listener.ts"
import type { FaultRecords } from "./fault-records.ts"
import type { Gap } from "./script-entry.ts"

/**
 * Times during which a port refuses connects: from the script, or because a test says so. Two gaps add up, and a gap that
 * is over ends no refusal by hand.
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
  /** Ends whatever refuses. */
  accept(): void
  /** Somebody tried to connect in vain; only simulation can tell. */
  refused(): void
  /** The listener has turned. */
  turned(isAccepting: boolean): void
  /** The port is closed or lost: no timer is left, and none of the others does anything any more. */
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
  let isOver = false
  let isByHand = false
  let until: number | null = null
  let connectsLeft = 0
  let forget: (() => void) | null = null

  const isRefusing = (): boolean => isByHand || until !== null || connectsLeft > 0
  const disarm = (): void => {
    forget?.()
    forget = null
    until = null
  }
  /** `change` is what makes the port refuse, from now on or longer. */
  const start = (listenDelayMs: number | null, change: () => void): void => {
    const wasRefusing = isRefusing()
    change()
    if (!wasRefusing) listener().refuse()
    records.tell({ type: "unavailable", baseURL: baseURL(), listenDelayMs })
  }
  const acceptUnlessRefusing = (): void => {
    if (!isRefusing()) listener().accept()
  }
  const last = (ms: number): void => {
    const end = Math.max(until ?? 0, clock.now()) + ms
    disarm()
    until = end
    forget = clock.arm(end - clock.now(), "gap", () => {
      disarm()
      acceptUnlessRefusing()
    })
  }
  return {
    begin(gap) {
      if (isOver) return
      if (gap.kind === "time") start(gap.ms, () => last(gap.ms))
      else {
        start(null, () => {
          connectsLeft += gap.count
        })
      }
    },
    refuse() {
      if (isOver || isByHand) return
      start(null, () => {
        isByHand = true
      })
    },
    accept() {
      if (isOver || !isRefusing()) return
      isByHand = false
      connectsLeft = 0
      disarm()
      listener().accept()
    },
    refused() {
      if (isOver || connectsLeft === 0) return
      connectsLeft--
      acceptUnlessRefusing()
    },
    turned(isAccepting) {
      if (isAccepting && !isOver) records.tell({ type: "available", baseURL: baseURL() })
    },
    end() {
      isOver = true
      disarm()
    }
  }
}
