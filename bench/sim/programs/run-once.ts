import { Effect } from "effect"
import { runWorld } from "../../../src/campaign/run-world.ts"
import type { SimWorld } from "../../../src/campaign/sim-world.ts"
import { plainContext } from "../../../src/explore/program.ts"
import { forkedChoice } from "../../../src/kernel/choice-forked.ts"
import type { SimKernel } from "../../../src/kernel/sim-kernel.ts"
import type { SimOptions } from "../../../src/sim.ts"

/** A program that says what became of each of its clients. */
export type ClientsProgram = (world: SimWorld) => Promise<ReadonlyArray<string>>

/** A run that is over. */
export interface OneRun {
  readonly hash: string
  readonly outcomes: ReadonlyArray<string>
  readonly kernel: SimKernel
}

/** One run from a seed, as `withSim` makes it. */
export const runOnce = async (program: ClientsProgram, options: SimOptions, seed: number): Promise<OneRun> => {
  const { outcome, kernel } = await runWorld(
    { ...options, choice: forkedChoice(seed), context: plainContext(seed), runSync: Effect.runSync },
    program
  )
  const outcomes = outcome.status === "returned" ? outcome.value : [`the run failed: ${outcome.error}`]
  return { hash: outcome.stats.hash, outcomes, kernel }
}
