import type { ChartAction, ChartEvent } from "./chart-step.ts"
import type { PlainContext, Run, Table } from "./chart-table.ts"

/**
 * Working memory for one step.
 *
 * @since 0.1.0
 * @category running
 */
export const startRun = (table: Table, context: PlainContext, event: ChartEvent): Run => ({
  args: { context, event, spawn: table.spawn },
  assigned: false,
  actions: null,
  raised: null,
  taken: 0,
  done: false,
  output: undefined
})

/**
 * Puts an action on the list of what the step asks for.
 *
 * @since 0.1.0
 * @category running
 */
export const list = (run: Run, action: ChartAction): void => {
  if (run.actions === null) run.actions = [action]
  else run.actions.push(action)
}

/**
 * Queues an event that this same step will handle.
 *
 * @since 0.1.0
 * @category running
 */
export const enqueue = (run: Run, event: ChartEvent): void => {
  if (run.raised === null) run.raised = [event]
  else run.raised.push(event)
}

/**
 * Takes the oldest raised event and makes it the present one; null when there is none.
 *
 * @since 0.1.0
 * @category running
 */
export const takeRaised = (run: Run): ChartEvent | null => {
  const event = run.raised?.[run.taken]
  if (event === undefined) return null
  run.taken += 1
  run.args = { context: run.args.context, event, spawn: run.args.spawn }
  return event
}

/**
 * Gives the run another context. It counts as a change even when it holds the same, as in xstate.
 *
 * @since 0.1.0
 * @category running
 */
export const setContext = (run: Run, context: PlainContext): void => {
  run.args = { context, event: run.args.event, spawn: run.args.spawn }
  run.assigned = true
}
