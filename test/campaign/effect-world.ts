import { Effect } from "effect"
import { runWorld } from "../../src/campaign/run-world.ts"
import { simRuntime } from "../../src/effect.ts"
import { plainContext } from "../../src/explore/program.ts"
import { forkedChoice, forkListedChoice } from "../../src/kernel/choice-forked.ts"
import type { ChoiceLists } from "../../src/kernel/choice-forks.ts"
import type { SimWorld } from "../../src/sim.ts"

export type Runtime = ReturnType<typeof simRuntime>

/** Makes one run from a seed, or from choices, and gives it with all that it drew and did. */
export const oneRun = async <A>(
  from: number | ChoiceLists,
  body: (runtime: Runtime, sim: SimWorld) => Promise<A>,
  options: { readonly actor?: string; readonly preempts?: boolean } = {}
) => {
  const choice = typeof from === "number" ? forkedChoice(from) : forkListedChoice(from)
  const seed = typeof from === "number" ? from : 0
  const { outcome, kernel } = await runWorld({ choice, context: plainContext(seed), runSync: Effect.runSync }, (sim) =>
    body(simRuntime(sim, options), sim)
  )
  if (outcome.status === "failed") throw outcome.error
  const { value, stats } = outcome
  return { value, hash: stats.hash, draws: kernel.draws, steps: kernel.steps(), left: stats.left }
}
