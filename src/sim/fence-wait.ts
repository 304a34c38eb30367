import type { Barrier } from "./fence-barrier.ts"
import { RealWorkStuck } from "./fence-errors.ts"

/** How a run stands still for the real world, and for how long at most. */
export interface RealWait {
  /** Calls `next` in a moment; throws `RealWorkStuck` when it has been doing so for too long. */
  forWork(pending: ReadonlyArray<string>, next: () => void): void
  /** Nothing is left to happen: calls `next` in a moment while there is grace, then gives false. */
  grace(next: () => void): boolean
  /** What was waited for is there. */
  isOver(): void
  counts(): { readonly realWaits: number; readonly lateWork: number }
}

/** So many times a wait spins before it sleeps: most work is back within microseconds. */
const spinsMax = 50

/** @since 0.1.0 @category constructors */
export const makeRealWait = (
  barrier: Barrier,
  { realMsMax, graceMs }: { readonly realMsMax: number; readonly graceMs: number }
): RealWait => {
  let sinceMs: number | null = null
  let spins = 0
  let isGrace = false
  let realWaits = 0
  let lateWork = 0

  const waitedMs = (): number => {
    const now = barrier.realMs()
    sinceMs ??= now
    return now - sinceMs
  }

  return {
    forWork(pending, next) {
      if (sinceMs === null) realWaits++
      if (waitedMs() > realMsMax) throw new RealWorkStuck(pending, realMsMax)
      if (++spins <= spinsMax) barrier.drain(next)
      else barrier.pause(next)
    },
    grace(next) {
      if (!isGrace) sinceMs = null
      isGrace = true
      if (waitedMs() >= graceMs) return false
      barrier.pause(next)
      return true
    },
    isOver() {
      if (isGrace) lateWork++
      sinceMs = null
      spins = 0
      isGrace = false
    },
    counts: () => ({ realWaits, lateWork })
  }
}
