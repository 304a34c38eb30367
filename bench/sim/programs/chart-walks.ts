import { isDeepStrictEqual } from "node:util"
import fc from "fast-check"
import { type AnyStateMachine, getNextTransitions, initialTransition, transition } from "xstate"
import { chartFeeds } from "../../../properties/arbitraries/chart-events.ts"
import { makeDice } from "../../../src/kernel/choice-dice.ts"
import { type Chart, compileChart } from "../../../src/supervisor/chart.ts"
import type { ChartEvent } from "../../../src/supervisor/chart-step.ts"

/** A life of a chart: an input, and events each of which the state that it comes to has a transition for. */
interface Walk {
  readonly input: unknown
  readonly events: ReadonlyArray<ChartEvent>
}

/** Lives of a chart, one after the other. */
export interface ChartWalks {
  readonly id: string
  readonly chart: Chart<AnyStateMachine>
  readonly walks: ReadonlyArray<Walk>
  /** Where table and xstate disagreed. */
  readonly problems: ReadonlyArray<string>
  /** The walk that comes next. */
  next: number
}

const eventsMax = 25
const payloads = 500
const seed = 1

/** Draws so many walks, and goes along each with xstate as well. */
export const walksOf = (machine: AnyStateMachine, count: number): ChartWalks => {
  const feed = chartFeeds[machine.id]
  if (feed === undefined) throw new Error(`chart ${machine.id} has no feed in properties/arbitraries/chart-events.ts`)
  const inputs = fc.sample(feed.input, { numRuns: count, seed })
  const extras = fc.sample(feed.payload, { numRuns: payloads, seed })
  const dice = makeDice(seed)
  const chart = compileChart(machine)
  const problems: Array<string> = []
  const walks = inputs.map((input): Walk => {
    const events: Array<ChartEvent> = []
    let step = chart.start(input)
    let [snapshot] = initialTransition(machine, input)
    while (events.length < eventsMax && step.snapshot.status === "active") {
      const types = getNextTransitions(snapshot).flatMap(({ eventType }) => eventTypes(eventType))
      const type = types[dice.below(types.length)]
      if (type === undefined) break
      const event = { ...extras[dice.below(payloads)], type }
      events.push(event)
      step = chart.step(step.snapshot, event)
      snapshot = transition(machine, snapshot, event)[0]
      if (!isDeepStrictEqual(step.snapshot.value, snapshot.value))
        problems.push(`${type} leads to ${step.snapshot.state}`)
    }
    return { input, events }
  })
  return { id: machine.id, chart, walks, problems, next: 0 }
}

/** A type that a descriptor matches. */
const eventTypes = (descriptor: string): ReadonlyArray<string> =>
  descriptor === "" ? [] : [descriptor === "*" ? "unknown.event" : descriptor.replace(/\.\*$/, ".any")]

/** Goes along the next walk; gives the steps that it took. */
export const walkChart = (walks: ChartWalks): number => {
  const walk = walks.walks[walks.next++ % walks.walks.length]
  if (walk === undefined) throw new Error(`chart ${walks.id} has no walks`)
  const { chart } = walks
  let { snapshot } = chart.start(walk.input)
  for (const event of walk.events) snapshot = chart.step(snapshot, event).snapshot
  return walk.events.length + 1
}
