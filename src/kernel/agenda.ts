import { type HeapEntry, makeEventHeap } from "./event-heap.ts"
import type { Op } from "./op.ts"

/** An operation that is planned, and what it does. */
export interface Planned extends Op, HeapEntry {
  due: number
  fire: () => void
  /** What was planned after it on its channel. */
  next: Planned | null
  /** Whether it stands in the heap or among the ready ones; the others of its channel cannot happen before it. */
  isFirst: boolean
  isReady: boolean
}

/** What may happen next. */
export interface AgendaOptions {
  /** Operations that are due within so many milliseconds of the first one may happen before it. */
  readonly windowMs: number
  /** Whether anything planned may happen next, however late it is due. */
  readonly isUntimed: boolean
}

/**
 * All that is planned, and what of it may happen next.
 *
 * @since 0.1.0
 * @category kernel
 */
export interface Agenda {
  /** It becomes due no earlier than what was planned before it on its channel. */
  add(entry: Planned): void
  forget(entry: Planned): void
  /** What may happen next, the calm choice first; good until the agenda changes. */
  ready(): ReadonlyArray<Planned>
  /** Takes one of those that `ready` gave last. */
  take(picked: number): Planned
  size(): number
  /** All that is planned, in the calm order. */
  all(): ReadonlyArray<Planned>
}

/** A channel that holds something. */
interface Lane {
  last: Planned
}

/** After so many others it is the turn of what is due first: a chain without end, of an interval say, holds nothing back for ever. */
const passedMax = 1_000

/** A heap larger than this is swept when most of it is forgotten. */
const sweepSizeMin = 1_024

/** @since 0.1.0 @category constructors */
export const makeAgenda = ({ windowMs, isUntimed }: AgendaOptions): Agenda => {
  const heap = makeEventHeap<Planned>()
  const lanes = new Map<string, Lane>()
  // What may happen next, sorted as the heap is. It stays from step to step.
  const ready: Array<Planned> = []
  let readyForgotten = 0
  let planned = 0
  const prompt = new Set<Planned>()
  // The chain that was picked against the calm order last, as long as it can go on, and where it is among the ready ones.
  let ahead: number | null = null
  // What is due first, and how often something else was picked.
  let waiting: Planned | null = null
  let passed = 0
  let calm = 0

  const enter = (entry: Planned): void => {
    entry.isFirst = true
    heap.push(entry)
  }

  /** The next of a channel may happen when the one before it has happened or was forgotten. */
  const promote = (gone: Planned): void => {
    if (gone.channel === undefined) return
    let next = gone.next
    while (next?.isForgotten === true) next = next.next
    if (next === null) lanes.delete(gone.channel)
    else enter(next)
  }

  const dropForgotten = (): void => {
    while (heap.peek()?.isForgotten === true) heap.pop()
    if (readyForgotten === 0) return
    readyForgotten = 0
    let kept = 0
    for (const entry of ready) if (!entry.isForgotten) ready[kept++] = entry
    ready.length = kept
  }

  const insertReady = (entry: Planned): void => {
    entry.isReady = true
    ready.push(entry)
    for (let at = ready.length - 1; at > 0; at--) {
      const before = ready[at - 1]
      if (before === undefined || before.due < entry.due || (before.due === entry.due && before.order < entry.order))
        return
      ready[at] = before
      ready[at - 1] = entry
    }
  }

  const giveBack = (): void => {
    for (const entry of ready) {
      entry.isReady = false
      heap.push(entry)
    }
    ready.length = 0
  }

  const soonestPrompt = (): number => {
    let due = Number.POSITIVE_INFINITY
    for (const entry of prompt) due = Math.min(due, entry.due)
    return due
  }

  /** Moves what may happen next from the heap to the ready ones. */
  const makeReady = (): void => {
    dropForgotten()
    const soonest = heap.peek()?.due ?? Number.POSITIVE_INFINITY
    // After a look without a step something earlier may have been planned.
    if (soonest < (ready[0]?.due ?? soonest)) giveBack()
    const promptDue = soonestPrompt()
    if ((ready.at(-1)?.due ?? promptDue) > promptDue) giveBack()
    const earliest = ready[0]?.due ?? heap.peek()?.due ?? promptDue
    const limit = Math.min(promptDue, isUntimed ? Number.POSITIVE_INFINITY : earliest + windowMs)
    for (let next = heap.peek(); next !== undefined && next.due <= limit; next = heap.peek()) {
      heap.pop()
      if (!next.isForgotten) insertReady(next)
    }
  }

  return {
    add(entry) {
      planned++
      if (entry.isPrompt === true) prompt.add(entry)
      const lane = entry.channel === undefined ? undefined : lanes.get(entry.channel)
      if (lane !== undefined) {
        entry.due = Math.max(entry.due, lane.last.due)
        lane.last.next = entry
        lane.last = entry
        return
      }
      enter(entry)
      if (entry.channel !== undefined) lanes.set(entry.channel, { last: entry })
    },
    forget(entry) {
      if (entry.isForgotten) return
      entry.isForgotten = true
      planned--
      prompt.delete(entry)
      if (entry.isReady) readyForgotten++
      if (entry.isFirst) promote(entry)
      if (heap.size() > sweepSizeMin && heap.size() > 2 * planned) heap.sweep()
    },
    ready() {
      makeReady()
      const [due] = ready
      if (due !== undefined && due === waiting && passed >= passedMax) {
        calm = 0
        return [due]
      }
      calm = ahead === null ? 0 : Math.max(0, indexOfChain(ready, ahead))
      const first = ready[calm]
      return calm === 0 || first === undefined ? ready : [first, ...ready.toSpliced(calm, 1)]
    },
    take(picked) {
      const at = picked === 0 ? calm : picked <= calm ? picked - 1 : picked
      const op = ready[at]
      if (op === undefined) throw new RangeError(`the choice source picked ${picked} of ${ready.length} operations`)
      const first = ready[0] ?? null
      passed = first === op ? 0 : first === waiting ? passed + 1 : 1
      waiting = first
      if (picked !== 0) ahead = op.chain
      else if (op.chain !== ahead) ahead = null
      if (ready.length === 1) ready.length = 0
      else ready.splice(at, 1)
      planned--
      prompt.delete(op)
      op.isForgotten = true
      promote(op)
      return op
    },
    size: () => planned,
    all() {
      const found: Array<Planned> = []
      for (const first of [...heap.entries(), ...ready])
        for (let entry: Planned | null = first; entry !== null; entry = entry.next)
          if (!entry.isForgotten) found.push(entry)
      return found.sort((one, other) => one.due - other.due || one.order - other.order)
    }
  }
}

const indexOfChain = (ops: ReadonlyArray<Op>, wanted: number): number => ops.findIndex(({ chain }) => chain === wanted)
