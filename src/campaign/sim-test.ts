import { runsDefault } from "../explore/explore-runs.ts"
import type { RunSync } from "../supervisor/lifetime.ts"
import type { SimProgram } from "./campaign.ts"
import { type Corpus, choicesOf, corpusPath, makeCorpus } from "./corpus-file.ts"
import { replayOnce, runCampaign } from "./run-campaign.ts"
import { registerTest, type TestForm } from "./runner.ts"
import { SimFailed } from "./sim-failed.ts"
import type { SimTestOptions } from "./sim-test-options.ts"

/** What a simulated test works with outside the world that it simulates. */
export interface SimTestParts {
  readonly runSync: RunSync
  /** The file that registers the test; `null` when it cannot be told. */
  readonly testFile: string | null
  /** Real time in milliseconds. */
  readonly now: () => number
  readonly env: Readonly<Record<string, string | undefined>>
}

const timeoutDefaultMs = 120_000

/**
 * Registers a test that runs `body` under many schedules. `SIM_REPLAY='TOKEN'` runs that run alone; `SIM_RUNS` and `SIM_SEED` replace
 * the number of runs and the seed.
 *
 * @since 0.1.0
 * @category running
 */
export const registerSimTest = (
  name: string,
  options: SimTestOptions,
  body: SimProgram,
  { form, ...parts }: SimTestParts & { readonly form: TestForm }
): void => {
  const { timeoutMs = timeoutDefaultMs } = options
  registerTest({ form, name, timeoutMs, body: () => runSimTest(name, options, body, parts) })
}

/** The body of such a test. */
export const runSimTest = async (
  name: string,
  { corpus: place, budgetMs, timeoutMs = timeoutDefaultMs, isOver, ...options }: SimTestOptions,
  body: SimProgram,
  { runSync, testFile, now, env }: SimTestParts
): Promise<void> => {
  const token = env["SIM_REPLAY"]
  if (token !== undefined && token !== "") return replayOnce(body, { ...options, token }, runSync)
  const corpus = corpusAt(place, testFile)
  const first = [...(options.first ?? []), ...choicesOf(corpus?.tokens(name) ?? [])]
  const began = now()
  // Past its time the runner has given the test up: it must not go on beside those that come next.
  const guardMs = Math.min(budgetMs ?? timeoutMs, timeoutMs)
  const isBounded = budgetMs === undefined && isOver === undefined
  try {
    await runCampaign(
      body,
      {
        ...(isBounded ? { runs: runsDefault } : {}),
        ...options,
        ...fromEnvironment(env),
        first,
        isOver: () => now() - began > guardMs || isOver?.() === true
      },
      runSync
    )
  } catch (error) {
    if (error instanceof SimFailed && env["CI"] === undefined) corpus?.keep(name, error.token)
    throw error
  }
}

const corpusAt = (place: string | false | undefined, testFile: string | null): Corpus | null => {
  if (place === false) return null
  if (place !== undefined) return makeCorpus(place)
  return testFile === null ? null : makeCorpus(corpusPath(testFile))
}

const fromEnvironment = (env: SimTestParts["env"]): { readonly runs?: number; readonly seed?: number } => {
  const runs = Number(env["SIM_RUNS"])
  const seed = Number(env["SIM_SEED"])
  return {
    ...(Number.isInteger(runs) && runs > 0 ? { runs } : {}),
    ...(env["SIM_SEED"] !== undefined && Number.isInteger(seed) && seed >= 0 ? { seed: seed % 2 ** 32 } : {})
  }
}
