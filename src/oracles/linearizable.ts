import type { Operation } from "./history.ts"
import { boundsOf, checkLinearizable, type LinearizabilityBounds } from "./linearizability.ts"
import { breach, firstBreach, type Judged, type Monitor } from "./monitor.ts"
import type { SeenEvent } from "./run-event.ts"
import type { SequentialModel } from "./sequential-model.ts"

/** Which history of a run is judged, and by what. */
export interface LinearizableOptions<S, I, O> extends LinearizabilityBounds {
  /** Picks the operations out of all that was seen in the run, such as `claimHistory`. */
  readonly history: (events: ReadonlyArray<SeenEvent>) => ReadonlyArray<Operation<I, O>>
  readonly model: SequentialModel<S, I, O>
  /** Default: `linearizability`. */
  readonly name?: string
}

interface SeenState extends Judged {
  readonly events: Array<SeenEvent>
}

/**
 * When a run ends, what its actors saw of an object must be explained by one operation after the other. A history that is too
 * long to be decided is a failure of its own: it says what bounds it.
 *
 * @since 0.1.0
 * @category oracles
 */
export const linearizable = <S, I, O>(options: LinearizableOptions<S, I, O>): Monitor<SeenState> => ({
  name: options.name ?? "linearizability",
  init: () => ({ breach: undefined, events: [] }),
  on(event, state) {
    state.events.push(event)
    if (event.type === "run.ended") judge(state, options)
    return state
  },
  fail: firstBreach
})

const judge = <S, I, O>(state: SeenState, { history, model, ...bounds }: LinearizableOptions<S, I, O>): void => {
  const found = checkLinearizable(history(state.events), model, bounds)
  if (found.type === "undecided") {
    const { operationsMax, stepsMax } = boundsOf(bounds)
    breach(
      state,
      `the history of the ${model.name} is too long to be decided`,
      `nothing contradicts what was seen of ${found.keys.slice(0, keysShown).join(", ")}, but only ${operationsMax} operations of a ` +
        `key and ${stepsMax} steps of the model were tried; give linearizable a larger operationsMax or stepsMax, or make fewer calls`
    )
  }
  if (found.type !== "violated") return
  const { operation, prefix, states } = found
  const { process, input, returned } = operation
  breach(
    state,
    `no order of the operations explains the ${model.name}`,
    `${process} did ${JSON.stringify(input)} and got ${JSON.stringify(returned?.output)}, after ${prefix.length - 1} operations ` +
      `that leave ${states.join(" or ") || "nothing"}`
  )
}

const keysShown = 3
