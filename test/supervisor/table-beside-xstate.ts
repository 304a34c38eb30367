import { readdirSync } from "node:fs"
import { expect } from "vitest"
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  getNextTransitions,
  initialTransition,
  StateMachine,
  transition
} from "xstate"
import type { Chart, Step } from "../../src/supervisor/chart.ts"

/** A chart that was taken as far by its table as by xstate. */
export interface Both {
  readonly step: Step<AnyStateMachine>
  readonly snapshot: AnyMachineSnapshot
}

/** The chart files of `machines/`, as the folder has them. */
export const shippedCharts: ReadonlyArray<string> = readdirSync(new URL("../../machines/", import.meta.url))
  .filter((file) => file.endsWith(".machine.ts"))
  .sort()

/** The one machine that a file of `machines/` exports. */
export const loadMachine = async (file: string): Promise<AnyStateMachine> => {
  const exported: object = await import(/* @vite-ignore */ `../../machines/${file}`)
  const machines: ReadonlyArray<AnyStateMachine> = Object.values(exported).filter(
    (value) => value instanceof StateMachine
  )
  const [machine] = machines
  if (machine !== undefined && machines.length === 1) return machine
  throw new Error(`machines/${file} exports ${machines.length} machines; a chart file exports one`)
}

/** Types that a descriptor matches: itself, or for a wildcard the stem and two longer ones. */
const typesFor = (descriptor: string): ReadonlyArray<string> => {
  if (descriptor === "*") return ["unknown.event"]
  if (!descriptor.endsWith(".*")) return [descriptor]
  const stem = descriptor.slice(0, -2)
  return [stem, `${stem}.x`, `${stem}.x.y`]
}

/** Every descriptor of the chart, of timers and done events too, as types that it matches, and one unknown type. */
export const alphabetOf = (machine: AnyStateMachine): ReadonlyArray<string> => {
  const nodes = [machine.root]
  for (const node of nodes) nodes.push(...Object.values(node.states))
  const descriptors = nodes.flatMap((node) => [...node.transitions.keys()])
  return [...new Set([...descriptors.flatMap(typesFor), "unknown.event"])]
}

/** Those that the present state has transitions for. */
export const presentTypes = (snapshot: AnyMachineSnapshot): ReadonlyArray<string> =>
  getNextTransitions(snapshot).flatMap(({ eventType }) => (eventType === "" ? [] : typesFor(eventType)))

/** Starts both, and compares. */
export const startBoth = (machine: AnyStateMachine, chart: Chart<AnyStateMachine>, input: unknown): Both => {
  // The table first, always: it throws when a chart never comes to rest, where xstate fills the memory.
  const step = chart.start(input)
  const [snapshot, actions] = initialTransition(machine, input)
  expectEqual(step, { snapshot, actions }, "after the start")
  return { step, snapshot }
}

/** Steps both, and compares; `after` says in words what led here. */
export const stepBoth = (
  { machine, chart }: { readonly machine: AnyStateMachine; readonly chart: Chart<AnyStateMachine> },
  both: Both,
  { event, after }: { readonly event: { readonly type: string }; readonly after: string }
): Both => {
  const present = presentTypes(both.snapshot)
  const isNamed = chart.names(both.step.snapshot, event.type)
  const isHandled = machine.getTransitionData(both.snapshot, event).length > 0

  const step = chart.step(both.step.snapshot, event)
  const [snapshot, actions] = transition(machine, both.snapshot, event)

  expectEqual(step, { snapshot, actions }, after)
  expect(step.handled, after).toBe(isHandled)
  expect(isNamed || !(isHandled || present.includes(event.type)), after).toBe(true)
  return { step, snapshot }
}

interface Reference {
  readonly snapshot: AnyMachineSnapshot
  readonly actions: ReadonlyArray<{ readonly type: string; readonly params: unknown }>
}

/** xstate lists undelayed raises though it has applied them; the table doesn't. */
const isListed = (action: { readonly type: string; readonly params: unknown }): boolean =>
  action.type !== "xstate.raise" || typeof Reflect.get(Object(action.params), "delay") === "number"

const expectEqual = (step: Step<AnyStateMachine>, reference: Reference, after: string): void => {
  const { value, status, context, output } = step.snapshot
  expect({ value, status, context, output, actions: step.actions }, after).toStrictEqual({
    value: reference.snapshot.value,
    status: reference.snapshot.status,
    context: reference.snapshot.context,
    output: reference.snapshot.output,
    actions: reference.actions.filter(isListed).map(({ type, params }) => ({ type, params }))
  })
}
