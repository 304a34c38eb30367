import { InvalidOption } from "../domain/errors.ts"
import { decodeToken, testMark } from "../explore/replay-token.ts"
import type { RunSync } from "../supervisor/lifetime.ts"
import type { SimProgram } from "./campaign.ts"
import { corpusPath, makeCorpus, readableTokens } from "./corpus-file.ts"
import { outdatedText, watchKept } from "./kept-runs.ts"
import { checkRun } from "./option-tables.ts"
import type { ReplayTaker } from "./replay-taker.ts"
import { type CampaignParts, replayOnce, runCampaign } from "./run-campaign.ts"
import { registerTest, type TestForm } from "./runner.ts"
import { runsOf } from "./shared-strategy.ts"
import type { SimTestOptions } from "./sim-test-options.ts"
import { CampaignTimedOut, makeTestTime } from "./test-time.ts"
import { keptTraces, testHere } from "./traced-test.ts"

/** What a simulated test works with outside the world that it simulates. */
export interface SimTestParts {
  readonly runSync: RunSync
  /** The file that registers the test; `null` when it cannot be told. */
  readonly testFile: string | null
  /** Real time in milliseconds. */
  readonly now: () => number
  readonly env: Readonly<Record<string, string | undefined>>
  /** Tells people what is no failure. */
  readonly say: (text: string) => void
  /** Told of tests while a run of one of them is asked for. */
  readonly replays?: ReplayTaker
}

const timeoutDefaultMs = 120_000

/** Time beside the budget for what comes after it. */
const afterBudgetMs = 60_000

/** The runner gives a test up so much later than it ends by itself, for a run may take long. */
const runnerGraceMs = 30_000

/**
 * Registers a test that runs `body` under many schedules. `SIM_REPLAY='TOKEN'` runs that run alone, and skips the other simulated
 * tests; `SIM_RUNS`, `SIM_SEED` and `SIM_CHECK` replace the number of runs, the seed and the share of runs that is made twice.
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
  const { env, replays, testFile } = parts
  const isOther = isOfOther(name, env)
  const takes = !isOther && form !== "skip"
  const token = replayAsked(env)
  const isFirstSkipped =
    token !== null && replays?.offer({ file: testFile, takes, isTokenOfTest: isTokenOfTest(token) }) === true
  registerTest({
    form: isOther ? "skip" : form,
    name,
    timeoutMs: timeoutOf(options) + runnerGraceMs,
    body: () => runSimTest(name, options, body, parts),
    ...(isFirstSkipped ? { onSkip: () => replays?.fileEnded(testFile) } : {})
  })
}

/** The token of the run that the environment asks for. */
const replayAsked = (env: SimTestParts["env"]): string | null => env["SIM_REPLAY"] || null

/** Whether it has a mark: one without was found by explore or fuzz. One that cannot be read might have. */
const isTokenOfTest = (token: string): boolean => {
  try {
    return decodeToken(token).test !== null
  } catch {
    return true
  }
}

/** Whether the run that was asked for is one of another test. A token that cannot be read is told by the test itself. */
const isOfOther = (name: string, env: SimTestParts["env"]): boolean => {
  const token = replayAsked(env)
  if (token === null) return false
  try {
    const { test } = decodeToken(token)
    // One without a mark was found by explore or fuzz.
    return test !== testMark(name)
  } catch {
    return false
  }
}

/** Options are checked when the test runs, so that a slip in one does not cost the others of its file. */
const timeoutOf = ({ timeoutMs, budgetMs = 0 }: SimTestOptions = {}): number => {
  const asked = timeoutMs ?? Math.max(timeoutDefaultMs, budgetMs + afterBudgetMs)
  return asked >= 0 ? asked : timeoutDefaultMs
}

/** The body of such a test. */
export const runSimTest = async (
  name: string,
  given: SimTestOptions,
  body: SimProgram,
  parts: SimTestParts
): Promise<void> => {
  checkRun("simTest", given, body)
  const { corpus: place, trace, timeoutMs: _, ...options } = given
  const { runSync, testFile, now, env, say } = parts
  const path = place ?? (testFile === null ? false : corpusPath(testFile))
  const traces = keptTraces(trace, {
    test: testHere({ test: name, file: testFile, env }),
    env,
    beside: path === false ? null : path
  })
  const token = replayAsked(env)
  if (token !== null) return replayOnce(body, { ...options, token }, runSync, { traces })

  const asked = { ...options, ...fromEnvironment(env) }
  const runs = runsOf({
    runs: asked.runs ?? null,
    isTimed: options.budgetMs !== undefined || options.isOver !== undefined
  })
  const timeoutMs = timeoutOf(given)
  const time = makeTestTime({ now, timeoutMs })
  const corpus = path === false ? null : makeCorpus(path)
  const broken = corpus?.problem() ?? null
  if (broken !== null) say(`${name}: no failure is tried again: ${broken}`)
  const keeping: Pick<CampaignParts, "keep"> =
    corpus === null || env["CI"] !== undefined ? {} : { keep: (...tokens) => corpus.keep(name, ...tokens) }
  const kept = watchKept(readableTokens(corpus?.tokens(name) ?? [], { path, say: (text) => say(`${name}: ${text}`) }))
  try {
    const { stats } = await runCampaign(
      body,
      {
        ...asked,
        runs,
        first: [...kept.tokens, ...(options.first ?? [])],
        isOver: () => time.isOver() || options.isOver?.() === true,
        onRun(report) {
          kept.see(report)
          options.onRun?.(report)
        }
      },
      runSync,
      { now, test: name, traces, ...keeping, isShrinkOver: time.isShrinkOver }
    )
    if (time.wasOver()) throw new CampaignTimedOut({ runs: stats.runs, of: runs, timeoutMs })
  } finally {
    const text = outdatedText(kept.outdated(), { kept: kept.tokens.length, path })
    if (text !== null) say(`${name}: ${text}`)
  }
}

const fromEnvironment = (env: SimTestParts["env"]): Pick<SimTestOptions, "runs" | "seed" | "checkShare"> => ({
  ...numberIn(env, "SIM_RUNS", (runs) => ({ runs })),
  ...numberIn(env, "SIM_SEED", (seed) => ({ seed })),
  ...numberIn(env, "SIM_CHECK", (checkShare) => ({ checkShare }))
})

const bounds = {
  SIM_RUNS: { least: 1, most: 1_000_000, isWhole: true },
  SIM_SEED: { least: 0, most: 2 ** 32 - 1, isWhole: true },
  SIM_CHECK: { least: 0, most: 1, isWhole: false }
} as const

const numberIn = <A>(env: SimTestParts["env"], name: keyof typeof bounds, use: (value: number) => A): A | undefined => {
  const text = env[name]
  if (text === undefined || text === "") return undefined
  const value = Number(text)
  const { least, most, isWhole } = bounds[name]
  if ((Number.isInteger(value) || !isWhole) && value >= least && value <= most) return use(value)
  const number = isWhole ? "a whole number" : "a number"
  throw new InvalidOption(`${name} is ${JSON.stringify(text)}; give ${number} from ${least} to ${most}`)
}
