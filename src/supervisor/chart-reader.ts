import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from "xstate"
import { compileAction } from "./chart-actions.ts"
import { isDescriptor } from "./chart-descriptor.ts"
import { compileGuard } from "./chart-guards.ts"
import { refuse, type Site } from "./chart-site.ts"
import type { Guard, Operation } from "./chart-table.ts"

/**
 * A transition with its guard and own actions compiled; what it exits and enters depends on the leaf.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReadTransition {
  readonly source: ReadState
  /** Null when it stays where it is. */
  readonly target: ReadState | null
  readonly reenter: boolean
  readonly guard: Guard | null
  readonly actions: ReadonlyArray<Operation>
}

/**
 * The child that is entered by default, and what runs then between its parent's entry and its own.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReadInitial {
  readonly state: ReadState
  readonly actions: ReadonlyArray<Operation>
}

/**
 * A state that is inside the subset, its actions compiled.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReadState {
  readonly id: string
  /** Dotted, empty for the root. */
  readonly path: string
  readonly key: string
  readonly parent: ReadState | null
  readonly isFinal: boolean
  readonly entry: ReadonlyArray<Operation>
  readonly exit: ReadonlyArray<Operation>
  readonly output: unknown
  /** Null for a leaf. */
  initial: ReadInitial | null
  transitions: ReadonlyMap<string, ReadonlyArray<ReadTransition>>
  always: ReadonlyArray<ReadTransition>
}

type States = Map<AnyStateNode, ReadState>

/**
 * The root of a machine, and all states below it, parents before children. Throws `UnsupportedChart`.
 *
 * @since 0.1.0
 * @category compiling
 */
export const readChart = (machine: AnyStateMachine): { root: ReadState; states: ReadonlyArray<ReadState> } => {
  const states: States = new Map()
  const root = readState(machine.root, null, states)
  for (const [node, state] of states) readLinks(node, state, states)
  return { root, states: [...states.values()].filter((state) => state !== root) }
}

const siteOf = (node: AnyStateNode): Site => ({
  chart: node.machine.id,
  state: node.path.join("."),
  implementations: node.machine.implementations
})

const readState = (node: AnyStateNode, parent: ReadState | null, states: States): ReadState => {
  const site = siteOf(node)
  refuseNode(node, site)
  const state: ReadState = {
    id: node.id,
    path: site.state,
    key: node.key,
    parent,
    isFinal: node.type === "final",
    entry: node.entry.map((action: unknown) => compileAction(action, site)),
    exit: node.exit.map((action: unknown) => compileAction(action, site)),
    output: node.output,
    initial: null,
    transitions: new Map(),
    always: []
  }
  states.set(node, state)
  for (const child of Object.values(node.states)) readState(child, state, states)
  return state
}

const refuseNode = (node: AnyStateNode, site: Site): void => {
  const hasChildren = Object.keys(node.states).length > 0
  if (node.type === "parallel")
    refuse(site, "a parallel state", "Run two charts, or keep the second region in context.")
  if (node.type === "history") refuse(site, "a history state", "Keep in context where to return to.")
  if (node.invoke.length > 0) refuse(site, "invoke", "Request work by an action and answer it by an event.")
  if (node.config.route !== undefined) refuse(site, "route", "Use an event for each target.")
  if (hasChildren !== (node.type === "compound")) refuse(site, `type "${node.type}" here`, "Leave the type out.")
  if (node.parent === undefined && !hasChildren) refuse(site, "a chart without states", "Give it a state.")
  if (node.parent !== undefined && !/^[^.*#\\]+$/.test(node.key))
    refuse(site, "this name", "Use no . * # or \\ in names.")
  for (const descriptor of node.transitions.keys()) {
    if (!isDescriptor(descriptor)) {
      refuse(
        site,
        `descriptor "${descriptor}"`,
        'xstate never matches it: a wildcard is "*" or the last part after a dot.'
      )
    }
  }
}

const readLinks = (node: AnyStateNode, state: ReadState, states: States): void => {
  const site = siteOf(node)
  if (node.type === "compound") {
    const [target] = node.initial.target
    const actions = node.initial.actions.map((action: unknown) => compileAction(action, site))
    state.initial = { state: stateOf(target, states, site), actions }
  }
  const read = (transition: AnyTransitionDefinition) => readTransition(transition, states, site)
  state.transitions = new Map([...node.transitions].map(([descriptor, list]) => [descriptor, list.map(read)]))
  state.always = (node.always ?? []).map(read)
}

const readTransition = (transition: AnyTransitionDefinition, states: States, site: Site): ReadTransition => {
  const targets = transition.target ?? []
  if (targets.length > 1) refuse(site, "a transition with several targets", "Name one target.")
  return {
    source: stateOf(transition.source, states, site),
    target: targets.length === 0 ? null : stateOf(targets[0], states, site),
    reenter: transition.reenter,
    guard: transition.guard === undefined ? null : compileGuard(transition.guard, site),
    actions: transition.actions.map((action: unknown) => compileAction(action, site))
  }
}

const stateOf = (node: AnyStateNode | undefined, states: States, site: Site): ReadState =>
  (node === undefined ? undefined : states.get(node)) ?? refuse(site, "a target outside the chart", "Name a state.")
