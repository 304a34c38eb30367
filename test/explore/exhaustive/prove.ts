import { dfsStrategy } from "../../../src/explore/dfs-strategy.ts"
import { exploreRuns } from "../../../src/explore/explore-runs.ts"
import { type Race, type RaceWatch, raceProgram } from "./race.ts"
import type { Plant } from "./step-world.ts"

/** How a race is searched. */
export interface ProofOptions {
  readonly plant?: Plant
  /** Default true, all three. */
  readonly sleepSets?: boolean
  readonly cachesStates?: boolean
  /** Whether of runs that differ in the names of clients that are alike one is searched (turns.ts). */
  readonly ordersAlike?: boolean
}

/** What a search of all runs found. */
export interface Proof {
  /** Whether every run was covered. */
  readonly complete: boolean
  /** Runs that went to their end. */
  readonly executions: number
  /** Runs that were ended where all that follows was covered. */
  readonly cut: number
  /** Different states. */
  readonly states: number
  /** Runs that failed, by what was wrong. */
  readonly failures: Readonly<Record<string, number>>
  /** What the runs came to, as clients see it. */
  readonly outcomes: ReadonlySet<string>
  readonly reached: ReadonlySet<string>
}

/** More than any race here has. */
const runsMax = 2_000_000

/** Searches every order of the steps of a race. */
export const prove = (race: Race, options: ProofOptions = {}): Proof => {
  const { plant = {}, sleepSets = true, cachesStates = true, ordersAlike = true } = options
  const reached = new Set<string>()
  const outcomes = new Set<string>()
  const next = new Map<string, string>()
  const watch: RaceWatch = {
    reached: (state) => reached.add(state),
    cameTo: (outcome) => outcomes.add(outcome),
    stepped(from, step, to) {
      const known = next.get(`${from} ${step}`)
      if (known === undefined) next.set(`${from} ${step}`, to)
      else if (known !== to) throw new Error(`the key of a state lacks something that "${step}" reads`)
    }
  }
  const { stats, isComplete } = exploreRuns({
    run: raceProgram(race, { plant, tellsState: cachesStates, ordersAlike, watch }),
    strategy: dfsStrategy({ sleepSets, mindsTime: false }),
    runs: runsMax,
    checkShare: 0,
    shrinkRunsMax: 0,
    goesOn: true
  })
  const { runs, cut, failures } = stats
  return { complete: isComplete, executions: runs - cut, cut, states: reached.size, failures, outcomes, reached }
}

/** A proof in a line. */
export const told = ({ complete, executions, cut, states, failures }: Proof): string => {
  const found = Object.entries(failures).map(([wrong, runs]) => `${wrong} (${runs} runs)`)
  const verdict = found.length === 0 ? "holds" : found.join(", ")
  return `${complete ? "complete" : "incomplete"}: ${executions} executions, ${cut} cut, ${states} states; ${verdict}`
}
