import { Effect } from "effect"
import { exploreWorld } from "../../../src/campaign/explore-world.ts"
import { type MeasureRow, sized } from "../../shared/row.ts"
import { measureRates } from "../measure/rates.ts"
import { racingNetwork, racingSdks } from "../programs/racing-sdks.ts"
import { runOnce } from "../programs/run-once.ts"
import { wrongOutcomes } from "../programs/wrong-outcomes.ts"

/** Runs of one repetition. */
const runsUsual = 600

/** All runs so many times before the measuring, which makes them once more to warm up. */
const warmUps = 2

const unit = "runs/CPU-s"

/** Two unmodified SDKs over the in-memory fetch. */
export const measureTwoSdks: MeasureRow = async (sizes) => {
  const runs = sized(runsUsual, sizes)
  const problems: Array<string> = []
  const outcomes = new Map<string, number>()
  const work = async () => {
    for (let seed = 0; seed < runs; seed++) {
      for (const outcome of (await runOnce(racingSdks, racingNetwork, seed)).outcomes) {
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }
    }
    return { runs }
  }
  const explored = async () => {
    const { stats, failure } = await exploreWorld(racingSdks, { ...racingNetwork, runs }, Effect.runSync)
    if (failure !== null) throw new Error(`explore found a failure where there is none: ${failure.message}`)
    return { runs: stats.runs }
  }
  for (let time = 0; time < warmUps; time++) await work()
  const seeded = await measureRates(work, { runs: { unit, what: "runs from seeds", bar: { atLeast: 250 } } }, sizes)
  const searched = await measureRates(
    explored,
    { runs: { unit, what: "runs of `explore`: portfolio, coverage, 1 of 20 made twice and counted once" } },
    sizes
  )
  problems.push(...wrongOutcomes(outcomes))
  return { how, figures: [...seeded, ...searched], problems }
}

const how =
  "openai and @anthropic-ai/sdk, as they are published, stream from one fault server: 429, 500, slow streams, and a network that " +
  "resets, cuts and loses; about 40 steps a run. Measured when 1,800 runs have warmed up."
