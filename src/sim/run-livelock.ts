import type { SimKernel } from "../kernel/sim-kernel.ts"
import { Livelock } from "./fence-errors.ts"

/** So many labels are named. */
const busiestMax = 3

/** A run does not end: what happened most among its newest steps, and who waits for what. */
export const livelockOf = (
  { kernel, waiting }: { readonly kernel: SimKernel; readonly waiting?: () => ReadonlyArray<string> },
  limit: "steps" | "time",
  { steps, atMs }: { readonly steps: number; readonly atMs: number }
): Livelock => {
  const counts = new Map<string, number>()
  for (const { op } of kernel.steps().slice(-1_000)) {
    const name = `${op.actor} ${op.label}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const busiest = [...counts].sort(([, a], [, b]) => b - a).slice(0, busiestMax)
  return new Livelock({
    limit,
    atMs,
    steps,
    busiest: busiest.map(([name, count]) => `${name} (${count})`),
    waiting: waiting?.() ?? []
  })
}
