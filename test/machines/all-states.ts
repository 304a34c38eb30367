import type { AnyStateMachine } from "xstate"
import { compileChart } from "../../src/supervisor/chart.ts"
import { alphabetOf, type Both, startBoth, stepBoth } from "../supervisor/table-beside-xstate.ts"
import type { SmallFeed } from "./small-feeds.ts"

/** What a comparison of all states came to. */
export interface AllStates {
  /** States with their contexts. */
  readonly states: number
  readonly steps: number
  /** Leaves in which the chart stood. */
  readonly stood: ReadonlySet<string>
}

/**
 * Takes a chart to every state that a small feed reaches, gives it every event there, and compares table and xstate after each:
 * snapshots, output, actions with their order and parameters. Fails with the first difference.
 *
 * A state is its value, status and context: guards, params, delays and actions read nothing else. The ways that xstate keeps beside,
 * such as children and history, no shipped chart has; the compiler refuses them.
 */
export const compareAllStates = (machine: AnyStateMachine, { inputs, payloads, isSmall }: SmallFeed): AllStates => {
  const chart = compileChart(machine)
  const events = alphabetOf(machine).flatMap((type) => payloads.map((payload) => ({ ...payload, type })))
  const seen = new Set<string>()
  const stood = new Set<string>()
  const open: Array<{ readonly both: Both; readonly way: string }> = []
  let steps = 0

  const reach = (both: Both, way: string): void => {
    const { value, status, context, state } = both.step.snapshot
    const key = JSON.stringify([value, status, context])
    if (seen.has(key)) return
    seen.add(key)
    stood.add(state)
    // A started actor takes no event after its end; `transition` would.
    if (status === "active" && isSmall?.(context) !== false) open.push({ both, way })
  }
  for (const input of inputs) reach(startBoth(machine, chart, input), `start with ${JSON.stringify(input)}`)
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    for (const event of events) {
      const way = `${place.way} > ${JSON.stringify(event)}`
      reach(stepBoth({ machine, chart }, place.both, { event, after: way }), way)
      steps++
    }
  }
  return { states: seen.size, steps, stood }
}
