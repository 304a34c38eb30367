import { matchesWildcard } from "./chart-descriptor.ts"
import { startRun, takeRaised } from "./chart-run.ts"
import type { ChartAction, ChartEvent, ChartSnapshot, ChartStep } from "./chart-step.ts"
import type { Leaf, PlainContext, Row, Run, Table } from "./chart-table.ts"

type PlainSnapshot = ChartSnapshot<PlainContext, unknown>
type PlainStep = ChartStep<PlainContext, unknown>

/**
 * Transitions that one step may take before the chart counts as one that never comes to rest.
 *
 * @since 0.1.0
 * @category running
 */
export const microstepsMax = 10_000

const nothing: ReadonlyArray<ChartAction> = Object.freeze([])

/**
 * Enters the initial state and runs to rest.
 *
 * @since 0.1.0
 * @category running
 */
export const startTable = (table: Table, input: unknown): PlainStep => {
  const event = { type: "xstate.init", input }
  const run = startRun(table, table.contextOf(input), event)
  perform(table.initial, run)
  const leaf = runToRest(table, table.initial.next, run)
  return { snapshot: snapshotOf(leaf, run), actions: run.actions ?? nothing, handled: true }
}

/**
 * Delivers one event and runs to rest.
 *
 * @since 0.1.0
 * @category running
 */
export const stepTable = (table: Table, snapshot: PlainSnapshot, event: ChartEvent): PlainStep => {
  if (snapshot.status === "done") return { snapshot, actions: nothing, handled: false }
  const before = leafOf(table, snapshot)
  const run = startRun(table, snapshot.context, event)
  const row = select(before, run)
  if (row !== null) perform(row, run)
  const leaf = runToRest(table, row === null ? before : row.next, run)
  const isSame = leaf === before && run.args.context === snapshot.context && !run.done
  return { snapshot: isSame ? snapshot : snapshotOf(leaf, run), actions: run.actions ?? nothing, handled: row !== null }
}

/**
 * Whether the present state or one of its parents has a transition for this type, guards aside.
 *
 * @since 0.1.0
 * @category running
 */
export const tableNames = (table: Table, snapshot: PlainSnapshot, type: string): boolean => {
  if (snapshot.status === "done") return false
  const leaf = leafOf(table, snapshot)
  return leaf.rows.has(type) || leaf.wildcards.some(({ wildcard }) => matchesWildcard(wildcard, type))
}

const leafOf = (table: Table, snapshot: PlainSnapshot): Leaf => {
  const leaf = table.leaves.get(snapshot.state)
  if (leaf !== undefined) return leaf
  const there = [...table.leaves.keys()].join(", ")
  throw new Error(`chart "${table.id}" has no state "${snapshot.state}" without children; it has: ${there}`)
}

const snapshotOf = (leaf: Leaf, run: Run): PlainSnapshot => ({
  state: leaf.state,
  value: leaf.value,
  status: run.done ? "done" : "active",
  context: run.args.context,
  output: run.output
})

/**
 * Takes eventless transitions and raised events until there are none. Eventless ones are tried after every event,
 * handled or not, and again after each that changed something; one that changed nothing would only be taken again.
 */
const runToRest = (table: Table, start: Leaf, run: Run): Leaf => {
  let leaf = start
  let tryAlways = true
  for (let microsteps = 0; !run.done; microsteps++) {
    if (microsteps === microstepsMax) throw neverAtRest(table, leaf)
    const eventless: Row | null = tryAlways ? firstAllowed(leaf.always, run) : null
    if (eventless !== null) {
      run.assigned = false
      perform(eventless, run)
      tryAlways = run.assigned || eventless.next !== leaf
      leaf = eventless.next
      continue
    }
    if (takeRaised(run) === null) return leaf
    const row = select(leaf, run)
    if (row !== null) {
      perform(row, run)
      leaf = row.next
    }
    tryAlways = true
  }
  return leaf
}

const select = (leaf: Leaf, run: Run): Row | null => {
  const { type } = run.args.event
  const rows = leaf.rows.get(type)
  if (rows !== undefined) return firstAllowed(rows, run)
  for (const { wildcard, rows } of leaf.wildcards) {
    const row = matchesWildcard(wildcard, type) ? firstAllowed(rows, run) : null
    if (row !== null) return row
  }
  return null
}

const firstAllowed = (rows: ReadonlyArray<Row>, run: Run): Row | null => {
  for (const row of rows) if (row.guard === null || row.guard(run.args)) return row
  return null
}

const perform = (row: Row, run: Run): void => {
  for (const operation of row.operations) operation(run)
}

const neverAtRest = (table: Table, leaf: Leaf): Error =>
  new Error(
    `chart "${table.id}" took ${microstepsMax} transitions in one step without coming to rest, now in "${leaf.state}"`
  )
