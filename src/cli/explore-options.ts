import { workersMax } from "../campaign/stop-board.ts"
import type { StrategyName } from "../explore/strategies.ts"
import { commonOptions } from "./command.ts"
import { duration, oneOf, someText, wholeNumber } from "./option-readers.ts"
import type { GivenOptions, Operand, OptionTable } from "./option-table.ts"

/** Longer than Node keeps a timer is no budget. */
const budgetMsMax = 7 * 24 * 3_600_000

/** The names of `strategies`, which are not loaded to show a help. */
const strategyNames = [
  "portfolio",
  "random",
  "swarm",
  "pct",
  "pos",
  "delay",
  "dfs",
  "corpus"
] as const satisfies ReadonlyArray<StrategyName>

/** The module of a command that runs programs. */
export const moduleOperand: Operand = {
  placeholder: "FILE",
  help: "an ES module that exports programs: .mjs, .js, or .ts where Node loads it"
}

/** The option that picks a program of a module. */
export const onlyOption = {
  kind: "value",
  placeholder: "NAME",
  help: "the program of this name, or exported by it (default: all)",
  read: someText("the name of a program")
} as const

/** The options of `understudy explore`. */
export const exploreOptions = {
  budget: {
    kind: "value",
    placeholder: "TIME",
    help: "how long to search, such as 30s or 10m; all programs together (default: what each module says, else no limit)",
    read: duration({ leastMs: 1, mostMs: budgetMsMax })
  },
  runs: {
    kind: "value",
    placeholder: "N",
    help: "how many runs of each program at most (default: what its module says, else 300; with --budget no limit)",
    read: wholeNumber({ least: 1, most: 1_000_000 })
  },
  workers: {
    kind: "value",
    placeholder: "N",
    help: "threads that share the runs (default 1)",
    read: wholeNumber({ least: 1, most: workersMax })
  },
  strategy: {
    kind: "value",
    placeholder: "NAME",
    help: `${strategyNames.join(", ")} (default: what the module says, else portfolio)`,
    read: oneOf(strategyNames)
  },
  seed: {
    kind: "value",
    placeholder: "N",
    help: "what all runs follow from (default: what the module says, else 0)",
    read: wholeNumber({ least: 0, most: 2 ** 32 - 1 })
  },
  only: onlyOption,
  out: {
    kind: "value",
    placeholder: "FILE",
    help: "where the trace of a failure goes (default: MODULE-HASH.trace.jsonl in this folder)",
    read: someText("the path of a file")
  },
  junit: {
    kind: "value",
    placeholder: "FILE",
    help: "write the results as JUnit XML too",
    read: someText("the path of a file")
  },
  ...commonOptions
} as const satisfies OptionTable

/** What `explore` was asked to do. */
export interface ExploreAsked {
  readonly module: string
  readonly budgetMs: number | null
  readonly runs: number | null
  readonly workers: number
  readonly strategy: StrategyName | null
  readonly seed: number | null
  readonly only: string | null
  readonly out: string | null
  readonly junit: string | null
}

/** The options of `explore` with their defaults. */
export const toExploreAsked = (given: GivenOptions): ExploreAsked => ({
  module: given.operands[0] ?? "",
  budgetMs: given.value(exploreOptions.budget) ?? null,
  runs: given.value(exploreOptions.runs) ?? null,
  workers: given.value(exploreOptions.workers) ?? 1,
  strategy: given.value(exploreOptions.strategy) ?? null,
  seed: given.value(exploreOptions.seed) ?? null,
  only: given.value(exploreOptions.only) ?? null,
  out: given.value(exploreOptions.out) ?? null,
  junit: given.value(exploreOptions.junit) ?? null
})

/** What is wrong in the combination. */
export const checkExplore = (given: GivenOptions): ReadonlyArray<string> =>
  given.value(exploreOptions.strategy) === "dfs" && (given.value(exploreOptions.workers) ?? 1) > 1
    ? ["--strategy dfs goes from one run to the next and cannot be shared; leave out --workers"]
    : []
