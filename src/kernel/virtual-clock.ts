import type { Choice } from "./choice.ts"
import type { Clock } from "./clock.ts"
import { type HeapEntry, makeEventHeap } from "./event-heap.ts"

/**
 * Time that moves only when it is told to. Timers fire one at a time, each at its own due moment; of several due
 * together the choice source picks, the oldest being the calm default.
 *
 * @since 0.1.0
 * @category kernel
 */
export interface VirtualClock extends Clock {
  /** Fires everything due now, and what that makes due now. Gives how many fired. */
  settle(): number
  /** Lets `ms` pass, firing what falls due on the way, and settles. */
  advance(ms: number): void
  /** Moves to the next due moment and fires one timer; false when no timer is armed. */
  step(): boolean
  /** When the next timer is due; infinity without one. */
  nextDue(): number
  /** Armed timers. */
  armed(): number
}

/** Virtual time begins with the year 2000. */
const epochMs = 946_684_800_000

/** A world that fires this often without time passing has a loop. */
const firingsMax = 1_000_000

/** A heap larger than this is swept when most of it is forgotten, so that timers which never fire do not pile up. */
const sweepSizeMin = 1_024

/** @since 0.1.0 @category constructors */
export const makeVirtualClock = (choice?: Choice): VirtualClock => {
  const heap = makeEventHeap()
  let time = 0
  let order = 0
  let armed = 0

  const dropForgotten = (): void => {
    while (heap.peek()?.isForgotten === true) heap.pop()
  }

  /** Of the entries due at the earliest moment, the chosen one; the others go back. */
  const take = (): HeapEntry | undefined => {
    dropForgotten()
    const first = heap.pop()
    if (first === undefined || choice === undefined) return first
    const together = [first]
    dropForgotten()
    while (heap.peek()?.due === first.due) {
      const other = heap.pop()
      if (other !== undefined && !other.isForgotten) together.push(other)
    }
    const picked = together.length === 1 ? 0 : choice.draw(together.length, "schedule")
    together.forEach((entry, index) => {
      if (index !== picked) heap.push(entry)
    })
    return together[picked]
  }

  const nextDue = (): number => {
    dropForgotten()
    return heap.peek()?.due ?? Number.POSITIVE_INFINITY
  }

  const step = (): boolean => {
    const entry = take()
    if (entry === undefined) return false
    time = Math.max(time, entry.due)
    armed--
    entry.isForgotten = true
    entry.fire()
    return true
  }

  const settle = (): number => {
    let fired = 0
    while (nextDue() <= time && step()) {
      if (++fired > firingsMax) throw new Error(`virtual time stands still at ${time} ms: ${firingsMax} events fired`)
    }
    return fired
  }

  return {
    now: () => time,
    wallMs: () => epochMs + time,
    arm(ms, label, fire) {
      const entry: HeapEntry = { due: time + Math.max(0, ms), order: order++, label, fire, isForgotten: false }
      heap.push(entry)
      armed++
      return () => {
        if (entry.isForgotten) return
        entry.isForgotten = true
        armed--
        if (heap.size() > sweepSizeMin && heap.size() > 2 * armed) heap.sweep()
      }
    },
    settle,
    advance(ms) {
      if (typeof ms !== "number" || !(ms >= 0)) throw new RangeError(`advance(${String(ms)}): give milliseconds from 0`)
      const end = time + ms
      settle()
      while (nextDue() <= end) {
        step()
        settle()
      }
      time = end
    },
    step,
    nextDue,
    armed: () => armed
  }
}
