import type { AnyStateMachine } from "xstate"
import { matchingDescriptors, readWildcard, wildcardsOf } from "./chart-descriptor.ts"
import { type Plan, planStart, planTransition } from "./chart-plan.ts"
import { type ReadState, type ReadTransition, readChart } from "./chart-reader.ts"
import type { Leaf, PlainContext, Row, Table, WildcardRows } from "./chart-table.ts"
import { isCallable } from "./chart-untyped.ts"
import { UnsupportedChart } from "./unsupported-chart.ts"

/** A leaf while its rows, which may lead back to it, are being made. */
interface OpenLeaf extends Leaf {
  readonly rows: Map<string, ReadonlyArray<Row>>
  readonly wildcards: Array<WildcardRows>
  readonly always: Array<Row>
}

type OpenLeaves = ReadonlyMap<ReadState, OpenLeaf>

/**
 * Compiles a machine to a table. Throws `UnsupportedChart`.
 *
 * @since 0.1.0
 * @category compiling
 */
export const compileTable = (machine: AnyStateMachine): Table => {
  const { root, states } = readChart(machine)
  const leaves = new Map(states.filter((state) => state.initial === null).map((state) => [state, openLeaf(state)]))
  for (const [state, leaf] of leaves) fillLeaf(state, leaf, leaves)
  const spawn = refuseSpawn(machine.id)
  return {
    id: machine.id,
    stateIds: states.map((state) => state.path),
    leaves: new Map([...leaves.values()].map((leaf) => [leaf.state, leaf])),
    initial: rowOf(planStart(root), null, leaves),
    contextOf: contextFactory(machine.config.context, spawn),
    spawn
  }
}

const openLeaf = (state: ReadState): OpenLeaf => {
  const [innermost = "", ...outer] = state.path.split(".").reverse()
  const value = outer.reduce<Leaf["value"]>((inner, key) => Object.freeze({ [key]: inner }), innermost)
  return { state: state.path, value, rows: new Map(), wildcards: [], always: [] }
}

const fillLeaf = (state: ReadState, leaf: OpenLeaf, leaves: OpenLeaves): void => {
  const lineage = lineageOf(state)
  // One row for a transition, however many descriptors lead to it.
  const rows = new Map(
    lineage
      .flatMap((each) => [...each.always, ...[...each.transitions.values()].flat()])
      .map((transition) => [transition, rowOf(planTransition(state, transition), transition.guard, leaves)])
  )
  const rowsOf = (transitions: ReadonlyArray<ReadTransition> = []): ReadonlyArray<Row> =>
    transitions.flatMap((transition) => rows.get(transition) ?? [])

  for (const type of lineage.flatMap((each) => [...each.transitions.keys()])) {
    const tried = lineage.flatMap(({ transitions }) =>
      matchingDescriptors([...transitions.keys()], type).flatMap((descriptor) => rowsOf(transitions.get(descriptor)))
    )
    leaf.rows.set(type, tried)
  }
  for (const { transitions } of lineage) {
    for (const descriptor of wildcardsOf([...transitions.keys()])) {
      const wildcard = readWildcard(descriptor)
      if (wildcard !== null) leaf.wildcards.push({ wildcard, rows: rowsOf(transitions.get(descriptor)) })
    }
  }
  leaf.always.push(...lineage.flatMap((each) => rowsOf(each.always)))
}

/** A state and its parents, innermost first. */
const lineageOf = (state: ReadState): ReadonlyArray<ReadState> =>
  state.parent === null ? [state] : [state, ...lineageOf(state.parent)]

const rowOf = (plan: Plan, guard: Row["guard"], leaves: OpenLeaves): Row => {
  const next = leaves.get(plan.leaf)
  if (next === undefined) throw new Error(`"${plan.leaf.path}" has children, so no plan can end in it`)
  return { guard, operations: plan.operations, next }
}

const contextFactory = (context: unknown, spawn: () => never): ((input: unknown) => PlainContext) => {
  if (isCallable(context)) return (input) => Object(context({ input, spawn }))
  const fixed: PlainContext = Object(context)
  return () => fixed
}

const refuseSpawn = (chart: string) => (): never => {
  const instead = "Request work by an action and answer it by an event."
  throw new UnsupportedChart({ chart, state: "", construct: "spawn", instead })
}
