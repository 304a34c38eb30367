import type { AnyStateMachine, ContextFrom, EventFrom, InputFrom, OutputFrom, StateMachine } from "xstate"
import { compileTable } from "./chart-compiler.ts"
import type { ChartEvent, ChartSnapshot, ChartStep } from "./chart-step.ts"
import { startTable, stepTable, tableNames } from "./chart-stepper.ts"
import type { Table } from "./chart-table.ts"

/**
 * Snapshot of an instance of machine `M`, with its context and output typed.
 *
 * @since 0.1.0
 * @category models
 */
export type Snapshot<M extends AnyStateMachine> = ChartSnapshot<ContextFrom<M>, OutputFrom<M>>

/**
 * Result of one step of machine `M`.
 *
 * @since 0.1.0
 * @category models
 */
export type Step<M extends AnyStateMachine> = ChartStep<ContextFrom<M>, OutputFrom<M>>

/**
 * A machine compiled to a table: pure, without clock, actor or cache, about a hundred times faster than `transition`.
 *
 * **Source** DESIGN.md section 4, feasibility.md sections 2 and 5
 *
 * @since 0.1.0
 * @category models
 */
export interface Chart<M extends AnyStateMachine> {
  /** The machine's `id`. */
  readonly id: string
  /** Dotted paths of all states but the root, parents before children. */
  readonly stateIds: ReadonlyArray<string>
  /** Enters the initial state. Fails with whatever a context factory, guard or `assign` throws. */
  start(input: InputFrom<M>): Step<M>
  /**
   * Delivers one event and runs to rest. A finished snapshot takes no event: it comes back as it is, unhandled.
   * Throws when `snapshot.state` is no leaf of this chart, when raised events and `always` never come to rest, and
   * whatever a guard, `params` or `assign` throws; the snapshot that went in is then still good.
   */
  step(snapshot: Snapshot<M>, event: EventFrom<M> | ChartEvent): Step<M>
  /** Whether the present state or a parent has a transition for this type, wildcards included, guards aside. */
  names(snapshot: Snapshot<M>, type: string): boolean
}

/**
 * The declared actions of machine `M`, as a union of `{ type, params }`.
 *
 * @since 0.1.0
 * @category models
 */
export type ActionOf<M> =
  M extends StateMachine<
    infer _Context,
    infer _Event,
    infer _Children,
    infer _Actor,
    infer Action,
    infer _Guard,
    infer _Delay,
    infer _Value,
    infer _Tag,
    infer _Input,
    infer _Output,
    infer _Emitted,
    infer _Meta,
    infer _Schema,
    infer _TransitionMeta
  >
    ? Action
    : never

/**
 * What carries out the actions of machine `M`, one function an action name. Names and params are type-checked; actions
 * that are an `assign` need no function. `Self` is the actor on whose behalf the action is performed.
 *
 * @since 0.1.0
 * @category models
 */
export type Performer<M, Self> = {
  readonly [A in ActionOf<M> as A["type"]]?: (params: A["params"], self: Self) => void
}

/**
 * Compiles a machine to a table.
 *
 * **Takes** a machine of the subset of feasibility.md section 2
 * **Fails** with `UnsupportedChart`, naming chart, state and construct
 *
 * @since 0.1.0
 * @category constructors
 */
export const compileChart = <M extends AnyStateMachine>(machine: M): Chart<M> => typed(compileTable(machine))

/**
 * The one place where a machine's own types are believed: `AnyStateMachine` types context and output as xstate's `any`,
 * and a chart over that fits every machine. What is inside are the machine's own functions, which xstate type-checked.
 */
const typed = (table: Table): Chart<AnyStateMachine> => ({
  id: table.id,
  stateIds: table.stateIds,
  start: (input) => startTable(table, input),
  step: (snapshot, event) => stepTable(table, snapshot, event),
  names: (snapshot, type) => tableNames(table, snapshot, type)
})
