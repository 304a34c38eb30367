import type { AnyStateMachine, AnyStateNode, StateValue } from "xstate"

/** The innermost states of a chart in which it can stand, as JSON of their values; those that are left at once are none. */
export const standingStates = (machine: AnyStateMachine): ReadonlySet<string> =>
  new Set(valuesBelow(machine.root).map((value) => JSON.stringify(value)))

const valuesBelow = (node: AnyStateNode): ReadonlyArray<StateValue> =>
  Object.values(node.states).flatMap((child): ReadonlyArray<StateValue> => {
    const inner = valuesBelow(child)
    if (inner.length > 0) return inner.map((value) => ({ [child.key]: value }))
    return isLeftAtOnce(child) ? [] : [child.key]
  })

/** Whether the last of its transitions without an event has no guard. */
const isLeftAtOnce = ({ always }: AnyStateNode): boolean => {
  const last = always?.at(-1)
  return last !== undefined && last.guard === undefined
}
