import type { StateValue } from "xstate"

/**
 * One event as a chart sees it: a type, and whatever payload its guards and actions read.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChartEvent {
  readonly type: string
}

/**
 * Where one instance of a chart stands, as plain data that survives `structuredClone`. Never mutated: a step that
 * changes something gives a new snapshot, and one that changes nothing gives the same object back.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChartSnapshot<Context, Output> {
  /** Dotted path of the innermost active state, such as `active.received`. */
  readonly state: string
  /** The same as xstate's state value: `{ active: "received" }`. Shared and frozen. */
  readonly value: StateValue
  readonly status: "active" | "done"
  readonly context: Context
  /** What the root's `output` gave when a top-level final state was entered; `undefined` before. */
  readonly output: Output | undefined
}

/**
 * One thing that a step asks for: an action of the chart's own with resolved params, a `DelayedRaise` or a `Cancel`.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChartAction {
  readonly type: string
  readonly params: unknown
}

/**
 * Asks to start timer `id`, which delivers `event` after `delay` milliseconds unless it is cancelled.
 *
 * @since 0.1.0
 * @category models
 */
export interface DelayedRaise extends ChartAction {
  readonly type: "xstate.raise"
  readonly params: { readonly event: ChartEvent; readonly id: string; readonly delay: number }
}

/**
 * Asks to forget the timer `sendId`, running or not.
 *
 * @since 0.1.0
 * @category models
 */
export interface Cancel extends ChartAction {
  readonly type: "xstate.cancel"
  readonly params: { readonly sendId: string }
}

/**
 * Whether `action` asks for a timer. Names of the form `xstate.*` belong to xstate: no chart can declare one.
 *
 * @since 0.1.0
 * @category guards
 */
export const isDelayedRaise = (action: ChartAction): action is DelayedRaise => action.type === "xstate.raise"

/**
 * Whether `action` asks to forget a timer.
 *
 * @since 0.1.0
 * @category guards
 */
export const isCancel = (action: ChartAction): action is Cancel => action.type === "xstate.cancel"

/**
 * What one event (or the start) leads to: the new snapshot and what is to be performed, in order.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChartStep<Context, Output> {
  readonly snapshot: ChartSnapshot<Context, Output>
  /** `assign` and undelayed raises are applied already and not listed. */
  readonly actions: ReadonlyArray<ChartAction>
  /** Whether a transition was taken for the event itself, be it an empty one. False once done, true at the start. */
  readonly handled: boolean
}
