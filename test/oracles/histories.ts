import { mulberry32 } from "../../src/kernel/mulberry32.ts"
import type { Operation } from "../../src/oracles/history.ts"
import type { SequentialModel } from "../../src/oracles/sequential-model.ts"

/** How a history is made. */
export interface HistoryShape {
  readonly operations: number
  readonly clients: number
  readonly seed: number
  readonly keys?: number
}

/**
 * A history that a correct object made: each client does one operation after the other, and each takes effect somewhere between
 * its call and its return. `answer` says what the object answers.
 */
export const correctHistory = <S, I, O>(
  { operations, clients, seed, keys = 1 }: HistoryShape,
  {
    model,
    ask,
    answer
  }: {
    readonly model: SequentialModel<S, I, O>
    readonly ask: (index: number, below: (n: number) => number) => I
    readonly answer: (state: S, input: I) => O
  }
): ReadonlyArray<Operation<I, O>> => {
  const next = mulberry32(seed)
  const random = (): number => next() / 2 ** 32
  const below = (n: number): number => Math.floor(random() * n)
  const free = Array.from({ length: clients }, () => 0)
  const drafts = Array.from({ length: operations }, (_, index) => {
    const client = below(clients)
    const called = (free[client] ?? 0) + random()
    const effect = called + random() * 2
    const returned = effect + random() * 2
    free[client] = returned
    return { process: `c${client}`, key: `k${below(keys)}`, input: ask(index, below), called, effect, returned }
  })
  const states = new Map<string, S>()
  const outputs = new Map<(typeof drafts)[number], O>()
  for (const draft of drafts.toSorted((a, b) => a.effect - b.effect)) {
    const state = states.get(draft.key) ?? model.init
    const output = answer(state, draft.input)
    const after = model.step(state, draft.input, { output })
    if (after === null) throw new Error("the object is not correct")
    states.set(draft.key, after)
    outputs.set(draft, output)
  }
  return drafts.flatMap((draft) => {
    const { process, key, input, called, returned } = draft
    const output = outputs.get(draft)
    return output === undefined ? [] : [{ process, key, input, called, returned: { at: returned, output } }]
  })
}
