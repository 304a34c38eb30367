import type { Outcome } from "../domain/outcome.ts"
import type { FaultEvent } from "../faults/fault-event.ts"

/** How many requests there were, and what became of them. */
export interface FaultsTally {
  count(event: FaultEvent): void
  totals(): { readonly requests: number; readonly outcomes: Readonly<Record<Outcome, number>> }
}

/** @since 0.1.0 @category constructors */
export const makeTally = (): FaultsTally => {
  let requests = 0
  const outcomes: Record<Outcome, number> = { completed: 0, reset: 0, stalled: 0, client_closed: 0, server_error: 0 }
  return {
    count(event) {
      if (event.type === "request") requests++
      if (event.type === "result") outcomes[event.outcome]++
    },
    totals: () => ({ requests, outcomes: { ...outcomes } })
  }
}
