import { ReplayDiverged } from "../kernel/choice-replayed.ts"
import type { Op } from "../kernel/op.ts"
import { mayConflict } from "./independence.ts"
import { makeOpNames } from "./op-names.ts"
import { RunCut } from "./run-cut.ts"
import { makeSeenStates } from "./seen-states.ts"
import type { RunInfo, Strategy, StrategyChoice } from "./strategy.ts"

/** How a depth-first search goes about it. */
export interface DfsOptions {
  /** Whether orders that differ in independent neighbours only are tried once. Default true. */
  readonly sleepSets?: boolean
  /**
   * Whether the program minds when an operation happens. If so, the default, operations that are due at different times
   * are not independent; at the same time they are in either case.
   */
  readonly mindsTime?: boolean
  /** Choices beyond so many of one run are calm, and the search is not complete. Default 10,000. */
  readonly depthMax?: number
}

/** A place where operations were picked: which were enabled, which slept, which were tried. */
interface PickNode {
  readonly type: "pick"
  readonly names: ReadonlyArray<number>
  readonly sleep: ReadonlyMap<number, Op>
  /** Of `names`, those that do not sleep. */
  readonly awake: ReadonlyArray<number>
  /** Those that were tried before, with what they touch. */
  readonly tried: Map<number, Op>
  at: number
}

interface DrawNode {
  readonly type: "draw"
  readonly label: string
  readonly n: number
  at: number
}

type Node = PickNode | DrawNode

/**
 * Tries every run of a program, depth first: all orders of operations and all answers of other draws. With sleep sets it
 * leaves out orders that differ from a tried one by swapping neighbours which both say that they touch nothing in common; where the
 * program tells its state, it does not search a state twice. In simulated worlds of foreign code no operation says what it
 * touches, so there all orders are tried.
 *
 * **Needs** operations whose `touches`, if they have them, name all that they read, write or plan into: an actor, a channel that
 * others plan into too. A state must say what is under way as well: what each operation will do, which it names by label, actor and
 * channel.
 * **Fails** with `ReplayDiverged` when the same choices lead elsewhere than before
 * **Source** simulation.md, section 5.4
 *
 * @since 0.1.0
 * @category exploring
 */
export const dfsStrategy = (options: DfsOptions = {}): Strategy => {
  const { sleepSets = true, mindsTime = true, depthMax = 10_000 } = options
  const nodes: Array<Node> = []
  const names = makeOpNames()
  const states = makeSeenStates()
  // One for all runs: most are cut, and an error that notes its stack costs as much as a short run.
  const cut = new RunCut()
  let hasBegun = false
  let isOver = false
  let wasShortened = false

  const isIndependent = (one: Op, other: Op): boolean =>
    (!mindsTime || one.due === other.due) && !mayConflict(one, other)

  /** What sleeps after `op`: what slept or was tried before it and has nothing to do with it. */
  const sleepAfter = (node: PickNode, op: Op): Map<number, Op> => {
    const after = new Map<number, Op>()
    if (!sleepSets) return after
    for (const [name, other] of node.sleep) if (isIndependent(other, op)) after.set(name, other)
    for (const [name, other] of node.tried) if (isIndependent(other, op)) after.set(name, other)
    return after
  }

  /** Turns the last choice that has another answer; false when there is none. */
  const turn = (): boolean => {
    for (let last = nodes.at(-1); last !== undefined; last = nodes.at(-1)) {
      if (++last.at < (last.type === "pick" ? last.awake.length : last.n)) return true
      nodes.pop()
    }
    return false
  }

  const start = (run: RunInfo): StrategyChoice => {
    let depth = 0
    let sleep: ReadonlyMap<number, Op> = new Map()
    // A program may catch the error and go on; what it chooses then is no part of the search.
    let isCut = false
    names.restart()

    const place = (enabled: ReadonlyArray<Op>): PickNode => {
      const enabledNames = enabled.map(names.nameOf)
      const known = nodes[depth]
      if (known !== undefined) {
        if (known.type === "pick" && isEqual(known.names, enabledNames)) return known
        throw diverged(depth, known, { label: "schedule", n: enabled.length })
      }
      const state = run.stateHash()
      const open =
        state === null ? { sleep, awake: enabledNames.filter((name) => !sleep.has(name)) } : openIn(state, enabled)
      if (open.awake.length === 0) {
        isCut = true
        throw cut
      }
      return { type: "pick", names: enabledNames, ...open, tried: new Map(), at: 0 }
    }

    /**
     * What is to be tried in a state: all that is awake, and when the search was there before, what slept each time and is awake now
     * (Godefroid, Partial-order methods, 1996: sleep sets with state matching). So from no state anything is tried twice.
     */
    const openIn = (state: string, enabled: ReadonlyArray<Op>): Pick<PickNode, "sleep" | "awake"> => {
      const called = enabled.map((op) => ({ op, name: names.nameOf(op), call: callOf(op, enabled) }))
      const sleeping = called.filter(({ name, call }) => sleep.has(name) && call !== null)
      const left = states.visit(
        state,
        sleeping.flatMap(({ call }) => call ?? [])
      )
      const open = left === null ? called : called.filter(({ call }) => call !== null && left.has(call))
      const asleep = open.filter((one) => sleeping.includes(one))
      return {
        sleep: new Map(asleep.map(({ name, op }) => [name, op])),
        awake: open.filter((one) => !sleeping.includes(one)).map(({ name }) => name)
      }
    }

    return {
      pick(enabled) {
        if (isCut) throw cut
        if (depth >= depthMax) {
          wasShortened = true
          return 0
        }
        const node = place(enabled)
        nodes[depth++] = node
        const name = node.awake[node.at]
        const picked = name === undefined ? -1 : node.names.indexOf(name)
        const op = enabled[picked]
        if (op === undefined || name === undefined) throw cut
        sleep = sleepAfter(node, op)
        node.tried.set(name, op)
        return picked
      },
      draw(n, label) {
        if (isCut) return 0
        if (depth >= depthMax) {
          wasShortened = true
          return 0
        }
        const known = nodes[depth]
        if (known !== undefined && (known.type !== "draw" || known.label !== label || known.n !== n)) {
          throw diverged(depth, known, { label, n })
        }
        const node = known ?? { type: "draw", label, n, at: 0 }
        nodes[depth++] = node
        return node.at
      }
    }
  }

  return {
    name: "dfs",
    begin(run) {
      if (isOver || (hasBegun && !turn())) {
        isOver = true
        return null
      }
      hasBegun = true
      return start(run)
    },
    end() {},
    isComplete: () => isOver && !wasShortened
  }
}

/**
 * What an operation is called on every way to a state, which its name is not: that tells how it was planned. `null` when
 * another is called the same, for then nobody knows which of them was tried on another way.
 */
const callOf = (op: Op, enabled: ReadonlyArray<Op>): string | null => {
  const isAlike = ({ label, actor, channel }: Op): boolean =>
    label === op.label && actor === op.actor && channel === op.channel
  return enabled.filter(isAlike).length > 1 ? null : `${op.label} ${op.actor} ${op.channel ?? ""}`
}

const isEqual = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): boolean =>
  one.length === other.length && one.every((name, index) => name === other[index])

const diverged = (depth: number, known: Node, met: { readonly label: string; readonly n: number }): ReplayDiverged => {
  const expected = known.type === "draw" ? known : { label: "schedule", n: known.names.length }
  return new ReplayDiverged(depth, { expected, met })
}
