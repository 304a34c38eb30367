import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { summary } from "../../shared/measure/summary.ts"
import { type Figure, type MeasureRow, type Sizes, sized } from "../../shared/row.ts"
import type { Slice, SliceOrder } from "../overhead-entry.ts"

/** The same program in bundles that leave parts of the package out. */
const sides = {
  whole: "./overhead-whole.js",
  noTrace: "./overhead-no-trace.js",
  noFence: "./overhead-no-fence.js",
  neither: "./overhead-neither.js"
} as const

type Side = keyof typeof sides

const names: ReadonlyArray<Side> = ["whole", "noTrace", "noFence", "neither"]

/** Runs before anything counts, runs of one slice, and slices of each side for one repetition. */
const warmRuns = 1_500
const sliceRuns = 80
const slicesEach = 8

const how =
  "The two SDKs in bundles with and without parts of the package, in processes that take turns on the same seeds. A side is what the " +
  "faster half of its 8 slices of 80 runs took, since load only adds; 5 such comparisons. Outcomes and steps are the same on all sides, " +
  "and without the fence the hashes too. Cannot be left out, and is on all sides: the list of draws, virtual time, the simulated " +
  "network. Without the fence plain functions stand in the place of globals, and promises are drained between steps as with it."

/** What trace, hash and fence cost: the same program with and without them, in turns. */
export const measureOverhead: MeasureRow = async (sizes) => {
  const children = new Map(names.map((name) => [name, fork(new URL(sides[name], import.meta.url))]))
  const ask = (name: Side, runs: number): Promise<Slice> => askChild(children.get(name), { from: 0, runs })
  try {
    const warm = new Map<Side, Slice>()
    for (const name of names) warm.set(name, await ask(name, sized(warmRuns, sizes, 10)))
    const costs: Array<Costs> = []
    for (let repetition = 0; repetition < sizes.repetitions; repetition++) costs.push(await compare(ask, sizes))
    const more = (what: string, full: Side, less: Side): Figure => {
      const { median, min, max } = summary(costs.map((cost) => 100 * (cost[full] / cost[less] - 1)))
      return { what, value: median, min, max, unit: "% more CPU time" }
    }
    return {
      how,
      figures: [
        { ...more("trace, hash and fence", "whole", "neither"), bar: { atMost: 15 } },
        more("trace and hash", "noFence", "neither"),
        more("fence", "noTrace", "neither")
      ],
      problems: differences(warm)
    }
  } finally {
    for (const child of children.values()) child.kill()
  }
}

/** CPU time of each side. */
type Costs = Readonly<Record<Side, number>>

const compare = async (ask: (name: Side, runs: number) => Promise<Slice>, sizes: Sizes): Promise<Costs> => {
  const runs = sized(sliceRuns, sizes, 5)
  const seconds: Record<Side, Array<number>> = { whole: [], noTrace: [], noFence: [], neither: [] }
  for (let slice = 0; slice < slicesEach; slice++) {
    // Each is the first one equally often.
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(slice + turn) % names.length]
      if (name !== undefined) seconds[name].push((await ask(name, runs)).seconds)
    }
  }
  const { whole, noTrace, noFence, neither } = seconds
  return {
    whole: fasterHalf(whole),
    noTrace: fasterHalf(noTrace),
    noFence: fasterHalf(noFence),
    neither: fasterHalf(neither)
  }
}

const fasterHalf = (seconds: ReadonlyArray<number>): number =>
  seconds
    .toSorted((one, other) => one - other)
    .slice(0, Math.ceil(seconds.length / 2))
    .reduce((sum, value) => sum + value, 0)

const askChild = async (child: ChildProcess | undefined, order: SliceOrder): Promise<Slice> => {
  if (child === undefined) throw new Error("no such side")
  child.send(order)
  const [answer]: ReadonlyArray<Slice | undefined> = await Promise.race([
    once(child, "message"),
    once(child, "exit").then(([code]) => {
      throw new Error(`a side of the comparison ended with ${code}`)
    })
  ])
  if (answer === undefined) throw new Error("a side of the comparison said nothing")
  return answer
}

/** The sides are to differ in their cost alone. */
const differences = (warm: ReadonlyMap<Side, Slice>): ReadonlyArray<string> => {
  const whole = warm.get("whole")
  return [...warm].flatMap(([name, { steps, outcomes, digest }]) => [
    ...(steps === whole?.steps && outcomes === whole.outcomes ? [] : [`${name}: not the same program, ${steps} steps`]),
    ...(name === "noFence" && digest !== whole?.digest ? [`${name}: other hashes than with the fence`] : [])
  ])
}
