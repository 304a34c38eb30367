import type { ReadState } from "./chart-reader.ts"
import { enqueue } from "./chart-run.ts"
import type { Arguments, Operation } from "./chart-table.ts"
import { isCallable } from "./chart-untyped.ts"

/**
 * What entering a final state adds to its own entry: its parent's done event or, at the top, the end of the chart.
 *
 * @since 0.1.0
 * @category compiling
 */
export const finish = (state: ReadState): ReadonlyArray<Operation> => {
  const { parent } = state
  if (parent === null) return []
  return parent.parent === null ? finishChart(state, parent) : [finishParent(state, parent)]
}

const finishParent = (state: ReadState, parent: ReadState): Operation => {
  const type = `xstate.done.state.${parent.id}`
  return (run) => enqueue(run, doneEvent(type, resolveOutput(state.output, run.args)))
}

/** The output is computed before the exit actions run, from a done event that no transition ever sees. */
const finishChart = (state: ReadState, root: ReadState): ReadonlyArray<Operation> => {
  const type = `xstate.done.state.${state.id}`
  const complete: Operation = (run) => {
    run.done = true
    const event = doneEvent(type, resolveOutput(state.output, run.args))
    run.output = resolveOutput(root.output, { context: run.args.context, event, spawn: run.args.spawn })
  }
  return [complete, ...state.exit, ...root.exit]
}

const doneEvent = (type: string, output: unknown) => ({ type, output })

const resolveOutput = (output: unknown, args: Arguments): unknown => (isCallable(output) ? output(args) : output)
