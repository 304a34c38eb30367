import type { TraceEvent } from "./trace-event.ts"

/**
 * One step of a chart: what happened to which instance, and the state it left it in.
 *
 * @since 0.1.0
 * @category traces
 */
export interface Transition {
  /** Milliseconds of the clock of the harness. */
  readonly at: number
  /** Running number of the instance. */
  readonly actor: number
  readonly chart: string
  readonly event: string
  readonly state: string
  /** Whether the state had an answer to the event. */
  readonly handled: boolean
}

/** The steps among the events of a trace, in order. */
export const transitionsIn = (events: ReadonlyArray<TraceEvent>): ReadonlyArray<Transition> =>
  events.flatMap((event) => {
    if (event.type !== "step") return []
    const { at, actor, chart, state, handled } = event
    return [{ at, actor, chart, event: event.event, state, handled }]
  })
