import fc from "fast-check"
import type { FaultAsk } from "../model/fault-ask.ts"
import type { FaultHistory, FaultSetup, FaultStep } from "../model/fault-history.ts"
import { anyFaultAsk } from "./fault-asks.ts"
import { anyFaultSetup } from "./fault-histories.ts"

/** The same requests of several callers in two orders; each caller keeps its own. */
export interface TwoOrders {
  readonly one: FaultHistory
  readonly other: FaultHistory
  /** What each caller does when it is alone. */
  readonly alone: ReadonlyArray<FaultHistory>
}

/** Callers by the key that they give. */
const keys = ["alpha", "beta", "é x"] as const

/** So many answers are in flight at most. */
const inFlightMax = 8

const order = fc.record({
  turns: fc.array(fc.nat(2), { maxLength: 40 }),
  waits: fc.array(fc.constantFrom(0, 0, 1, 25, 2_000), { maxLength: 30 }),
  ties: fc.array(fc.nat(5), { maxLength: 20 })
})

const laned: fc.Arbitrary<FaultSetup> = anyFaultSetup({ lanes: "always", draws: fc.constant(null) }).map((setup) => ({
  ...setup,
  lanes: setup.lanes === null ? null : { ...setup.lanes, perLane: true, by: [...setup.lanes.by, ...otherwise(setup)] }
}))

/** Without a rule all callers are in one lane, where their order counts. */
const otherwise = ({ lanes }: FaultSetup) => (lanes?.by.length === 0 ? (["path"] as const) : [])

/** Callers with up to eight requests each. */
export const twoOrders: fc.Arbitrary<TwoOrders> = fc
  .record({
    setup: laned,
    callers: fc.tuple(...keys.map(() => fc.array(anyFaultAsk(), { maxLength: 8 }))),
    one: order,
    other: order
  })
  .map(({ setup, callers, one, other }) => {
    const own = callers.map((asks, index) => asks.map((ask) => ofCaller(ask, keys[index] ?? null)))
    return {
      one: { setup, ...interleaved(own, one) },
      other: { setup, ...interleaved(own, other) },
      alone: own.map((asks) => ({ setup, ties: [], steps: asks.map((ask) => ({ does: "ask" as const, ask })) }))
    }
  })

const ofCaller = (ask: FaultAsk, key: string | null): FaultAsk => ({ ...ask, pathLane: key, headerLane: key })

const interleaved = (
  callers: ReadonlyArray<ReadonlyArray<FaultAsk>>,
  { turns, waits, ties }: { turns: ReadonlyArray<number>; waits: ReadonlyArray<number>; ties: ReadonlyArray<number> }
): Pick<FaultHistory, "steps" | "ties"> => {
  const left = callers.map((asks) => [...asks])
  const steps: Array<FaultStep> = []
  let since = 0
  for (let turn = 0; left.some((asks) => asks.length > 0); turn++) {
    const able = left.filter((asks) => asks.length > 0)
    const ask = able[(turns[turn] ?? 0) % able.length]?.shift()
    if (ask !== undefined) steps.push({ does: "ask", ask })
    const ms = ++since === inFlightMax ? 2_000 : (waits[turn] ?? 0)
    if (ms === 2_000) since = 0
    steps.push({ does: "advance", ms })
  }
  return { steps, ties }
}
