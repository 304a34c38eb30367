import { Effect } from "effect"
import type { SimWorld } from "../../../src/campaign/sim-world.ts"
import { simRuntime } from "../../../src/effect.ts"
import { type MeasureRow, sized } from "../../shared/row.ts"
import { measureRates } from "../measure/rates.ts"
import { runOnce } from "../programs/run-once.ts"

const sleepsOfRun = 1_000
const runsUsual = 150

const how =
  "A program of Effect that sleeps 1,000 times for 10 ms, in a whole simulated run: scheduler and clock on the kernel, fence up, " +
  "promises drained between steps. The reading that set the bar had a bare loop without a fence, without trace and hash."

const sleeper = Effect.gen(function* () {
  for (let count = 0; count < sleepsOfRun; count++) yield* Effect.sleep("10 millis")
})

/** Sleeps of programs written in Effect. */
export const measureEffectSleeps: MeasureRow = async (sizes) => {
  const problems: Array<string> = []
  const program = async (world: SimWorld): Promise<ReadonlyArray<string>> => {
    await simRuntime(world).runPromise(sleeper)
    return [String(world.now())]
  }
  const work = async () => {
    const runs = sized(runsUsual, sizes)
    for (let seed = 0; seed < runs; seed++) {
      const { outcomes } = await runOnce(program, {}, seed)
      if (outcomes[0] !== String(sleepsOfRun * 10)) problems.push(`woke at ${outcomes.join()} ms`)
    }
    return { sleeps: runs * sleepsOfRun }
  }
  const told = { what: "virtual sleeps of Effect", unit: "sleeps/CPU-s", bar: { atLeast: 300_000 } }
  return { how, figures: await measureRates(work, { sleeps: told }, sizes), problems }
}
