import { directions } from "./plan/fault-program.ts"
import type { ProxyEvent, ProxyFact } from "./proxy-event.ts"

/** The newest events of a proxy. */
export interface EventRing {
  push(fact: ProxyFact, at: number): void
  /** Those that are kept, oldest first. */
  events(): ReadonlyArray<ProxyEvent>
}

type FrameFact = Extract<ProxyFact, { readonly type: "frame" }>

/** Numbers of a run: connection, direction, index, frames, bytes, time. */
const columns = 6

/** Events there is room for at first. */
const firstRoom = 64

/**
 * Keeps so many events. Runs of frames come in thousands a second, each as long as it is kept an object that the collector of garbage
 * has to move and to look at; so they are kept as numbers, and made events when somebody asks.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeEventRing = (eventsMax: number): EventRing => {
  let room = Math.min(firstRoom, eventsMax)
  let runs = new Float64Array(room * columns)
  let others: Array<ProxyEvent | null> = new Array(room).fill(null)
  let total = 0

  /** Nothing was overwritten before the ring has its full size, so what there is keeps its place. */
  const grow = (): void => {
    room = Math.min(2 * room, eventsMax)
    const longer = new Float64Array(room * columns)
    longer.set(runs)
    runs = longer
    others = Array.from({ length: room }, (_, slot) => others[slot] ?? null)
  }

  const pushRun = ({ connection, direction, index, frames, bytes }: FrameFact, slot: number, at: number): void => {
    const from = slot * columns
    runs[from] = connection
    runs[from + 1] = directions.indexOf(direction)
    runs[from + 2] = index
    runs[from + 3] = frames
    runs[from + 4] = bytes
    runs[from + 5] = at
    others[slot] = null
  }

  const eventAt = (slot: number): ProxyEvent => {
    const other = others[slot]
    if (other !== null && other !== undefined) return other
    const [connection = 0, direction = 0, index = 0, frames = 0, bytes = 0, at = 0] = runs.subarray(slot * columns)
    return {
      type: "frame",
      connection,
      direction: directions[direction] ?? "clientToLeader",
      index,
      frames,
      bytes,
      action: "forwarded",
      rules: [],
      at
    }
  }

  return {
    push(fact, at) {
      if (total === room && room < eventsMax) grow()
      const slot = total++ % room
      if (isRun(fact)) pushRun(fact, slot, at)
      else others[slot] = { ...fact, at }
    },
    events() {
      const kept = Math.min(total, room)
      return Array.from({ length: kept }, (_, place) => eventAt((total - kept + place) % room))
    }
  }
}

const isRun = (fact: ProxyFact): fact is FrameFact =>
  fact.type === "frame" && fact.action === "forwarded" && fact.rules.length === 0
