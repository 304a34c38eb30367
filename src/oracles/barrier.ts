import { breach, firstBreach, type Judged, type Monitor } from "./monitor.ts"
import { attemptName, requestName, type SeenEvent } from "./run-event.ts"

interface Barred {
  readonly name: string
  /** Barriers that the test said it closed, and has not opened. */
  readonly closed: Set<string>
  /** Whether the server says that a copy stood at a barrier before anything was released. */
  isHeld: boolean
  /** Whether the test released anything, as the server's trace has it. */
  isReleased: boolean
}

interface BarrierState extends Judged {
  readonly expectations: Map<string, Barred>
  /** The expectation of each chart instance, and of each request that is a copy of its call: names come again. */
  readonly actors: Map<number, Barred>
  readonly copies: Map<number, Barred>
  readonly requests: Map<string, number>
}

/**
 * Before the release of a barrier no copy of the call crosses, and no client sees the end of one.
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
    actors: new Map(),
    copies: new Map(),
    requests: new Map()
  }),
  on(event, state) {
    noteBarriers(event, state)
    judgeCopies(event, state)
    return state
  },
  fail: firstBreach
})

const fresh = (name: string, { expectations }: BarrierState): Barred => {
  const barred: Barred = { name, closed: new Set(), isHeld: false, isReleased: false }
  expectations.set(name, barred)
  return barred
}

const barredOf = (name: string, state: BarrierState): Barred => state.expectations.get(name) ?? fresh(name, state)

const noteBarriers = (event: SeenEvent, state: BarrierState): void => {
  switch (event.type) {
    case "expectation":
      state.actors.set(event.actor, fresh(event.name, state))
      return
    case "step": {
      const barred = event.event === "release" ? state.actors.get(event.actor) : undefined
      if (barred !== undefined) barred.isReleased = true
      return
    }
    case "phase":
      if (event.phase === "Blocked") barredOf(event.expectation, state).isHeld = true
      return
    case "barrier.closed":
      barredOf(event.expectation, state).closed.add(event.barrier)
      return
    case "barrier.released": {
      const barred = barredOf(event.expectation, state)
      if (event.barrier === null) barred.closed.clear()
      else barred.closed.delete(event.barrier)
      barred.isReleased = true
    }
  }
}

const judgeCopies = (event: SeenEvent, state: BarrierState): void => {
  switch (event.type) {
    case "decision":
      if (event.expectation !== null) state.copies.set(event.request, barredOf(event.expectation, state))
      return
    case "settled":
      if (event.as === "crossed") judge(event.request, "crossed", state)
      return
    case "attempt.arrived":
      state.requests.set(attemptName(event), event.request)
      return
    case "answer.ended":
      if (event.how === "end") judge(state.requests.get(attemptName(event)), "showed its end", state)
  }
}

const judge = (request: number | undefined, what: string, state: BarrierState): void => {
  const barred = request === undefined ? undefined : state.copies.get(request)
  if (request === undefined || barred === undefined) return
  const [closed] = barred.closed
  if (closed === undefined && (!barred.isHeld || barred.isReleased)) return
  const barrier = closed === undefined ? "a barrier" : `barrier "${closed}"`
  breach(
    state,
    "a copy passed a closed barrier",
    `${requestName(request)} ${what} before ${barrier} of "${barred.name}" was released`
  )
}
