import { breach, firstBreach, type Judged, type Monitor } from "./monitor.ts"
import { attemptName, requestName, type SeenEvent } from "./run-event.ts"

interface Barred {
  readonly name: string
  /** Barriers that a copy has to stand at, as the server registered them or the test said, and that nobody has released. */
  readonly closed: Set<string>
  readonly released: Set<string>
  /** Whether all were released at once. */
  isOpen: boolean
}

/** A copy of the call of an expectation. */
interface Copy {
  readonly request: number
  readonly barred: Barred
  /** The barrier that it stands before. */
  at: string | null
}

interface BarrierState extends Judged {
  /** Names come again: a copy keeps the expectation that it was made for. */
  readonly expectations: Map<string, Barred>
  readonly copies: Map<number, Copy>
  /** By the chart instance. */
  readonly actors: Map<number, Copy>
  readonly requests: Map<string, number>
}

/**
 * No copy of a call goes on from a barrier before that one was released, crosses before all were, or shows its client the end.
 *
 * **Source** inference-server.md, section 11, 16
 *
 * @since 0.1.0
 * @category oracles
 */
export const barrierHolds = (): Monitor<BarrierState> => ({
  name: "barrier",
  init: () => ({
    breach: undefined,
    expectations: new Map(),
    copies: new Map(),
    actors: new Map(),
    requests: new Map()
  }),
  on(event, state) {
    noteBarriers(event, state)
    judgeCopies(event, state)
    return state
  },
  fail: firstBreach
})

const fresh = (
  name: string,
  { barriers, expectations }: Pick<BarrierState, "expectations"> & { readonly barriers: ReadonlyArray<string> }
): Barred => {
  const barred: Barred = { name, closed: new Set(barriers), released: new Set(), isOpen: false }
  expectations.set(name, barred)
  return barred
}

const barredOf = (name: string, { expectations }: BarrierState): Barred =>
  expectations.get(name) ?? fresh(name, { barriers: [], expectations })

const noteBarriers = (event: SeenEvent, state: BarrierState): void => {
  switch (event.type) {
    case "expectation":
      fresh(event.name, { barriers: event.barriers, expectations: state.expectations })
      return
    case "barrier.closed":
      barredOf(event.expectation, state).closed.add(event.barrier)
      return
    case "barrier.released": {
      const barred = barredOf(event.expectation, state)
      if (event.barrier === null) {
        barred.closed.clear()
        barred.isOpen = true
        return
      }
      barred.closed.delete(event.barrier)
      barred.released.add(event.barrier)
    }
  }
}

const judgeCopies = (event: SeenEvent, state: BarrierState): void => {
  switch (event.type) {
    case "decision": {
      if (event.expectation === null) return
      const copy: Copy = { request: event.request, barred: barredOf(event.expectation, state), at: null }
      state.copies.set(event.request, copy)
      state.actors.set(event.actor, copy)
      return
    }
    case "barrier.reached": {
      const copy = state.copies.get(event.request)
      if (copy === undefined) return
      judgeStand(copy, "went on", state)
      copy.at = event.barrier
      return
    }
    case "step": {
      const copy = event.event === "barrier.opened" ? state.actors.get(event.actor) : undefined
      if (copy === undefined) return
      judgeStand(copy, "went on", state)
      copy.at = null
      return
    }
    case "settled": {
      if (event.as === "crossed") judgeEnd(event.request, "crossed", state)
      const copy = state.copies.get(event.request)
      if (copy !== undefined) copy.at = null
      return
    }
    case "attempt.arrived":
      state.requests.set(attemptName(event), event.request)
      return
    case "answer.ended":
      if (event.how === "end") judgeEnd(state.requests.get(attemptName(event)), "showed its end", state)
  }
}

const judgeStand = (copy: Copy, what: string, state: BarrierState): void => {
  const { at, barred } = copy
  if (at !== null && !barred.isOpen && !barred.released.has(at)) accuse(copy, { what, barrier: at }, state)
}

const judgeEnd = (request: number | undefined, what: string, state: BarrierState): void => {
  const copy = request === undefined ? undefined : state.copies.get(request)
  if (copy === undefined) return
  judgeStand(copy, what, state)
  const [barrier] = copy.barred.closed
  if (barrier !== undefined) accuse(copy, { what, barrier }, state)
}

const accuse = (
  { request, barred }: Copy,
  { what, barrier }: { readonly what: string; readonly barrier: string },
  state: BarrierState
): void =>
  breach(
    state,
    "a copy passed a closed barrier",
    `${requestName(request)} ${what} before barrier "${barrier}" of "${barred.name}" was released`
  )
