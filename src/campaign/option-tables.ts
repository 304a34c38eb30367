import { InvalidOption } from "../domain/errors.ts"
import { describe } from "../domain/json.ts"
import {
  aFunction,
  either,
  having,
  listOf,
  madeOf,
  members,
  milliseconds,
  type OptionCheck,
  oneOf,
  recordOf,
  share,
  someText,
  whole,
  yesOrNo
} from "../domain/option-checks.ts"
import { strategies } from "../explore/strategies.ts"
import type { RetryBudget } from "../oracles/retry-budget.ts"
import type { Allowance } from "../sim/fence-run.ts"
import { heldKinds } from "../sim/held-things.ts"
import { type ChecksOf, forEver, linkChecks } from "../sim/network-checks.ts"
import type { RunLimits } from "../sim/run-loop.ts"
import type { SimNetworkOptions } from "../sim/sim.ts"
import type { ClientTimeouts } from "../sim/transport-client.ts"
import type { CampaignOptions } from "./campaign.ts"
import type { ExploreModuleOptions } from "./explore-module-options.ts"
import type { JudgeOptions } from "./judge.ts"
import type { SimTestOptions } from "./sim-test-options.ts"
import { workersMax } from "./stop-board.ts"
import type { WorldOptions } from "./world-options.ts"

const many = 1_000_000
const seed = whole(0, 2 ** 32 - 1)

const timeouts: ChecksOf<ClientTimeouts> = {
  connectMs: milliseconds,
  headersMs: milliseconds,
  bodyMs: milliseconds,
  idleMs: milliseconds
}

const network: ChecksOf<SimNetworkOptions> = { ...linkChecks, timeouts: members(timeouts) }

const limits: ChecksOf<RunLimits> = {
  stepsMax: whole(1, 1_000_000_000),
  virtualMsMax: forEver,
  coolStepsMax: whole(0, many),
  realMsMax: milliseconds,
  graceMs: milliseconds
}

const allowances: Readonly<Record<Allowance, true>> = {
  fs: true,
  net: true,
  dns: true,
  child_process: true,
  worker: true,
  timers: true,
  keys: true
}

export const retries: ChecksOf<RetryBudget> = {
  retriesMax: whole(0, many),
  toleranceMs: milliseconds,
  lateMsMax: forEver,
  totalMsMax: forEver,
  windowOf: oneOf(["call", "actor"])
}

const judge: ChecksOf<JudgeOptions> = {
  cancelMsMax: milliseconds,
  retries: (value, path) => members(retries)(value, path) ?? having({ retriesMax: retries.retriesMax })(value, path),
  tools: members({ within: oneOf(["actor", "run"]) }),
  settleBudgetMs: forEver,
  oracles: listOf(
    madeOf({ needs: { name: someText, init: aFunction, on: aFunction }, may: { hot: aFunction, fail: aFunction } })
  ),
  isBare: yesOrNo,
  resources: either(oneOf(["all"]), listOf(oneOf(heldKinds))),
  goals: listOf(madeOf({ needs: { label: someText, init: aFunction, isReached: aFunction } }))
}

const world: ChecksOf<WorldOptions> = {
  network: members(network),
  limits: members(limits),
  allow: listOf(oneOf(Object.keys(allowances))),
  windowMs: milliseconds,
  isUntimed: yesOrNo,
  judge: members(judge)
}

const choices = listOf(whole(0, 2 ** 32 - 1))

const campaign: ChecksOf<CampaignOptions> = {
  ...world,
  runs: whole(1, many),
  isOver: aFunction,
  seed,
  first: listOf(either(someText, recordOf(choices))),
  goals: listOf(someText),
  checkShare: share(),
  goesOn: yesOrNo,
  shrinkRunsMax: whole(0, many),
  onRun: aFunction,
  strategy: oneOf(Object.keys(strategies)),
  budgetMs: milliseconds
}

const place = either(someText, (value, path) => (value === false ? null : `${path} is no path; give one, or false`))

const simTest: ChecksOf<SimTestOptions> = {
  ...campaign,
  corpus: place,
  trace: place,
  timeoutMs: milliseconds
}

const source: OptionCheck = either(having({ draw: aFunction }), listOf(choices), recordOf(choices))

const exploreModule: ChecksOf<ExploreModuleOptions> = {
  only: someText,
  workers: whole(1, workersMax),
  runs: campaign.runs,
  seed,
  strategy: campaign.strategy,
  budgetMs: milliseconds,
  goals: campaign.goals,
  first: campaign.first,
  corpus: place,
  trace: place,
  execArgv: listOf(someText),
  signal: having({ aborted: yesOrNo, addEventListener: aFunction, removeEventListener: aFunction })
}

/** A function cannot pass to another thread. */
const workers: OptionCheck = (_, path) =>
  `${path} is no option here, for several need a module that they load: ` +
  "exploreModule(FILE, { workers: N }), or npx llm-understudy explore FILE --workers N"

const inner = { judge, network, limits }

/** The options of each way to run something. Whoever makes a run again may give what it was found with. */
const tables = {
  withSim: members({ ...world, seed, choice: source }, inner),
  explore: members({ ...campaign, trace: place, workers }, inner),
  exploreModule: members(exploreModule),
  replay: members(simTest, inner),
  simTest: members({ ...simTest, workers }, inner),
  fuzz: members({ ...campaign, workers }, inner),
  program: members({ ...campaign, workers }, inner)
}

/** What is wrong with the options of one of the ways to run something; `null` when nothing is. `path` stands before their names. */
export const optionProblem = (entry: keyof typeof tables, options: unknown, path = ""): string | null =>
  tables[entry](options, path)

/**
 * Checks what a run is made of before anything is run.
 *
 * **Fails** with `InvalidOption`, which says what to give instead
 *
 * @since 0.1.0
 * @category guards
 */
export const checkRun = (entry: keyof typeof tables, options: unknown, body: unknown): void => {
  const problem = optionProblem(entry, options)
  if (problem !== null) throw new InvalidOption(`${entry}: ${problem}`)
  if (isObject(body) && "run" in body && typeof body.run === "function") {
    throw new InvalidOption(
      `${entry}: the body is a program; give its parts: ${partsText[entry] ?? "(p.options, p.run)"}`
    )
  }
  if (typeof body !== "function") {
    throw new InvalidOption(
      `${entry}: the body is ${describe(body)}; give a function of the simulated world, async (sim) => { ... }`
    )
  }
  const { seed: given, choice } = { seed: undefined, choice: undefined, ...(isObject(options) ? options : {}) }
  if (given !== undefined && choice !== undefined) {
    throw new InvalidOption(`${entry}: both seed and choice are given; a run follows from one of them`)
  }
}

/** How the parts of a program are given. */
const partsText: Partial<Record<keyof typeof tables, string>> = {
  simTest: "simTest(name, p.options, p.run)",
  explore: "explore(p.options, p.run)",
  replay: "replay(token, p.options, p.run)"
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null
