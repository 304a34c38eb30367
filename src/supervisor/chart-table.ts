import type { StateValue } from "xstate"
import type { Wildcard } from "./chart-descriptor.ts"
import type { ChartAction, ChartEvent } from "./chart-step.ts"

/**
 * The context of any chart; what its keys hold is between the chart and its own functions.
 *
 * @since 0.1.0
 * @category models
 */
export type PlainContext = Readonly<Record<string, unknown>>

/**
 * What guards, params, assigns, raises and outputs are called with. There is no `self` and no `system`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Arguments {
  readonly context: PlainContext
  readonly event: ChartEvent
  /** Throws `UnsupportedChart`. */
  readonly spawn: () => never
}

/**
 * The working memory of one step. `args` always holds `context` and `event`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Run {
  args: Arguments
  /** An `assign` ran since this was last cleared. */
  assigned: boolean
  /** Null until the first one; most steps have none. */
  actions: Array<ChartAction> | null
  /** Raised events; those before `taken` are used up. Null until the first one. */
  raised: Array<ChartEvent> | null
  taken: number
  done: boolean
  output: unknown
}

/**
 * One thing that a transition does, on the working memory of a step.
 *
 * @since 0.1.0
 * @category models
 */
export type Operation = (run: Run) => void

/**
 * Answers something truthy when the transition may be taken.
 *
 * @since 0.1.0
 * @category models
 */
export type Guard = (args: Arguments) => unknown

/**
 * A transition as seen from one leaf: everything it runs (exits, own actions, entries) in one list.
 *
 * @since 0.1.0
 * @category models
 */
export interface Row {
  readonly guard: Guard | null
  readonly operations: ReadonlyArray<Operation>
  readonly next: Leaf
}

/**
 * What one wildcard of a leaf or its parents leads to.
 *
 * @since 0.1.0
 * @category models
 */
export interface WildcardRows {
  readonly wildcard: Wildcard
  readonly rows: ReadonlyArray<Row>
}

/**
 * A state without children and the transitions of it and its parents, in the order in which they are tried.
 *
 * @since 0.1.0
 * @category models
 */
export interface Leaf {
  readonly state: string
  readonly value: StateValue
  /** By descriptor, with the rows of all wildcards that match it: a lookup needs nothing else. */
  readonly rows: ReadonlyMap<string, ReadonlyArray<Row>>
  /** For types that no descriptor spells out. Nothing is remembered by type: names may come from input. */
  readonly wildcards: ReadonlyArray<WildcardRows>
  readonly always: ReadonlyArray<Row>
}

/**
 * A compiled chart.
 *
 * @since 0.1.0
 * @category models
 */
export interface Table {
  readonly id: string
  readonly stateIds: ReadonlyArray<string>
  readonly leaves: ReadonlyMap<string, Leaf>
  readonly initial: Row
  readonly contextOf: (input: unknown) => PlainContext
  readonly spawn: () => never
}
