import { type Moment, momentsOf, type Operation, partition, prefixUntil } from "./history.ts"
import type { SequentialModel } from "./sequential-model.ts"

/** What a check may cost. */
export interface LinearizabilityBounds {
  /** Operations of one key; of a longer history only so many are checked. Default 100. */
  readonly operationsMax?: number
  /** Steps of the model, over all keys. Default 1,000,000. */
  readonly stepsMax?: number
}

/** What a check may cost where nothing is said. */
export const boundsOf = ({
  operationsMax = 100,
  stepsMax = 1_000_000
}: LinearizabilityBounds): Required<LinearizabilityBounds> => ({ operationsMax, stepsMax })

/**
 * Whether a concurrent history could have happened one operation at a time. `undecided` found nothing, but did not see it all.
 *
 * @since 0.1.0
 * @category histories
 */
export type Linearization<I, O> =
  | { readonly type: "linearizable"; readonly steps: number }
  | { readonly type: "undecided"; readonly keys: ReadonlyArray<string>; readonly steps: number }
  | NotLinearizable<I, O>

/**
 * The shortest failing prefix: before its last return everything could still be explained. When the steps run out while it is
 * looked for, it is the whole history of the key.
 */
export interface NotLinearizable<I, O> {
  readonly type: "violated"
  readonly key: string
  /** Of this key; what had not returned is pending. */
  readonly prefix: ReadonlyArray<Operation<I, O>>
  /** The operation whose return cannot be explained. */
  readonly operation: Operation<I, O>
  /** States in which the object may have been before it, a few of them, as the model writes them. */
  readonly states: ReadonlyArray<string>
  readonly steps: number
}

/**
 * Looks for an order of the operations that their model explains, key by key: Wing and Gong's search with memory, from return to
 * return. An operation is put in order as late as it can be, so that a failing search has seen which return is the first that
 * nothing explains.
 *
 * **Gives** of several failing keys the one that fails first
 * **Source** simulation.md, section 5.8
 *
 * @since 0.1.0
 * @category histories
 */
export const checkLinearizable = <S, I, O>(
  history: ReadonlyArray<Operation<I, O>>,
  model: SequentialModel<S, I, O>,
  bounds: LinearizabilityBounds = {}
): Linearization<I, O> => {
  const { operationsMax, stepsMax } = boundsOf(bounds)
  const budget: Budget = { steps: 0, stepsMax }
  const undecided: Array<string> = []
  let worst: Omit<NotLinearizable<I, O>, "steps"> | null = null
  let worstAt = Number.POSITIVE_INFINITY
  for (const [key, all] of partition(history)) {
    const next = all[operationsMax]
    // What returned after the first operation that is left out may depend on it.
    const operations = next === undefined ? all : pendingFrom(all.slice(0, operationsMax), next.called)
    const failure = search(operations, model, budget)
    if (failure !== null && failure !== "out of steps") {
      const shortest = shorten(operations, failure, { model, budget })
      const { operation, at } = shortest.moment
      if (at < worstAt) {
        worst = { type: "violated", key, prefix: prefixUntil(operations, at), operation, states: shortest.states }
        worstAt = at
      }
    } else if (failure !== null || next !== undefined) undecided.push(key)
  }
  const { steps } = budget
  if (worst !== null) return { ...worst, steps }
  return undecided.length > 0 ? { type: "undecided", keys: undecided, steps } : { type: "linearizable", steps }
}

interface Budget {
  steps: number
  readonly stepsMax: number
}

const pendingFrom = <I, O>(operations: ReadonlyArray<Operation<I, O>>, at: number): ReadonlyArray<Operation<I, O>> =>
  operations.map((operation) =>
    operation.returned !== null && operation.returned.at >= at ? { ...operation, returned: null } : operation
  )

/** Somewhere in the search: before a return, in a state, with the open operations that had their effect already, a bit each. */
interface Place<S> {
  readonly index: number
  readonly state: S
  readonly done: bigint
}

interface Failure<I, O> {
  readonly moment: Moment<I, O>
  readonly states: ReadonlyArray<string>
}

const statesShown = 5

const search = <S, I, O>(
  operations: ReadonlyArray<Operation<I, O>>,
  model: SequentialModel<S, I, O>,
  budget: Budget
): Failure<I, O> | "out of steps" | null => {
  const returns = returnsOf(operations)
  const seen = new Set<string>()
  const work: Array<Place<S>> = [{ index: 0, state: model.init, done: 0n }]
  let furthest = 0
  let states = new Set([model.key(model.init)])
  for (let place = work.pop(); place !== undefined; place = work.pop()) {
    const { index, state, done } = place
    const current = returns[index]
    if (current === undefined) return null
    const stateKey = model.key(state)
    const key = `${index} ${done.toString(36)} ${stateKey}`
    if (seen.has(key)) continue
    seen.add(key)
    // What had its effect before is explained; the others wait until they have to.
    if ((done & current.own) !== 0n) {
      if (index + 1 > furthest) {
        furthest = index + 1
        states = new Set()
      }
      if (index + 1 === furthest) states.add(stateKey)
      work.push({ index: index + 1, state, done: done & ~current.own })
      continue
    }
    for (const [operation, bit] of current.open) {
      if ((done & bit) !== 0n) continue
      if (budget.steps >= budget.stepsMax) return "out of steps"
      budget.steps++
      const next = model.step(state, operation.input, operation.returned)
      if (next !== null) work.push({ index, state: next, done: done | bit })
    }
  }
  const failed = returns[furthest]
  return failed === undefined ? null : { moment: failed.moment, states: [...states].slice(0, statesShown) }
}

/** A return, with all that is open then. */
interface Return<I, O> {
  readonly moment: Moment<I, O>
  readonly own: bigint
  /** What is tried first comes last: itself, and before it what returns next. */
  readonly open: ReadonlyArray<readonly [Operation<I, O>, bigint]>
}

const returnsOf = <I, O>(operations: ReadonlyArray<Operation<I, O>>): ReadonlyArray<Return<I, O>> => {
  const open = new Map<Operation<I, O>, bigint>()
  return momentsOf(operations).flatMap((moment): ReadonlyArray<Return<I, O>> => {
    const { operation, type } = moment
    if (type === "called") {
      open.set(operation, freeBit(open))
      return []
    }
    const own = open.get(operation) ?? 0n
    open.delete(operation)
    return [{ moment, own, open: [...open].sort(([a], [b]) => returnOf(b) - returnOf(a)).concat([[operation, own]]) }]
  })
}

const returnOf = ({ returned }: Operation<unknown, unknown>): number => returned?.at ?? Number.MAX_VALUE

/**
 * The search knows what open operations will answer, and so it may fail before they have. The first prefix that fails by what
 * has returned in it is not shorter than that.
 */
const shorten = <S, I, O>(
  operations: ReadonlyArray<Operation<I, O>>,
  failure: Failure<I, O>,
  { model, budget }: { readonly model: SequentialModel<S, I, O>; readonly budget: Budget }
): Failure<I, O> => {
  const { moment } = failure
  const later = momentsOf(operations).filter(({ type, at }) => type === "returned" && at >= moment.at)
  for (const { at, operation } of later) {
    const found = search(prefixUntil(operations, at), model, budget)
    if (found === "out of steps") break
    if (found !== null) return { moment: { type: "returned", at, operation }, states: found.states }
  }
  const last = later.at(-1)
  return last === undefined ? failure : { moment: last, states: failure.states }
}

/** The lowest bit that no open operation has: there are never more bits than operations at once. */
const freeBit = (open: ReadonlyMap<unknown, bigint>): bigint => {
  let used = 0n
  for (const taken of open.values()) used |= taken
  let bit = 1n
  while ((used & bit) !== 0n) bit <<= 1n
  return bit
}
