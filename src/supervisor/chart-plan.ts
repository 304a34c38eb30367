import { finish } from "./chart-finish.ts"
import type { ReadState, ReadTransition } from "./chart-reader.ts"
import type { Operation } from "./chart-table.ts"

/**
 * What a transition does when it is taken in one leaf.
 *
 * @since 0.1.0
 * @category models
 */
export interface Plan {
  readonly operations: ReadonlyArray<Operation>
  /** The leaf in which it ends. */
  readonly leaf: ReadState
}

interface Entry {
  readonly state: ReadState
  /** Entered for itself or by default, and not just on the way to a target: runs the actions of its `initial`. */
  readonly byDefault: boolean
}

/**
 * Exits from the leaf upwards, then the transition's own actions, then entries from the top downwards.
 *
 * @since 0.1.0
 * @category compiling
 */
export const planTransition = (leaf: ReadState, transition: ReadTransition): Plan => {
  const { target, actions } = transition
  if (target === null) return { operations: actions, leaf }
  const domain = domainOf(transition, target)
  const exited = [leaf, ...ancestorsOf(leaf)].filter((state) => isBelow(state, domain))
  const exits = exited.flatMap((state) => state.exit)
  const entries = [...entriesAbove(target, domain), ...entriesAt(transition, target), ...entriesBelow(target)]
  const { operations, leaf: next } = planEntries(entries, target)
  return { operations: [...exits, ...actions, ...operations], leaf: next }
}

/**
 * Enters the root and everything below it by default.
 *
 * @since 0.1.0
 * @category compiling
 */
export const planStart = (root: ReadState): Plan =>
  planEntries([{ state: root, byDefault: true }, ...entriesBelow(root)], root)

const planEntries = (entries: ReadonlyArray<Entry>, target: ReadState): Plan => {
  const leaf = entriesBelow(target).at(-1)?.state ?? target
  const operations = entries.flatMap(({ state, byDefault }) => [
    ...state.entry,
    ...(byDefault ? (state.initial?.actions ?? []) : []),
    ...(state.isFinal ? finish(state) : [])
  ])
  return { operations, leaf }
}

/** Proper ancestors, nearest first. */
const ancestorsOf = (state: ReadState): ReadonlyArray<ReadState> =>
  state.parent === null ? [] : [state.parent, ...ancestorsOf(state.parent)]

/** Whether `state` lies strictly inside `domain`; everything, the root too, lies inside null. */
const isBelow = (state: ReadState, domain: ReadState | null): boolean =>
  domain === null || ancestorsOf(state).includes(domain)

/** The state that stays active while all below it is exited. Null when even the root is left and entered again. */
const domainOf = ({ source, reenter }: ReadTransition, target: ReadState): ReadState | null => {
  if (!reenter && (target === source || isBelow(target, source))) return source
  const common = ancestorsOf(target).find((state) => isBelow(source, state))
  return common ?? (reenter ? null : (ancestorsOf(source).at(-1) ?? source))
}

const entriesAbove = (target: ReadState, domain: ReadState | null): ReadonlyArray<Entry> =>
  ancestorsOf(target)
    .filter((state) => isBelow(state, domain))
    .reverse()
    .map((state) => ({ state, byDefault: false }))

/** A transition from a state to itself enters it only when it says `reenter`. */
const entriesAt = ({ source, reenter }: ReadTransition, target: ReadState): ReadonlyArray<Entry> =>
  target === source && !reenter ? [] : [{ state: target, byDefault: true }]

const entriesBelow = (state: ReadState): ReadonlyArray<Entry> =>
  state.initial === null ? [] : [{ state: state.initial.state, byDefault: true }, ...entriesBelow(state.initial.state)]
