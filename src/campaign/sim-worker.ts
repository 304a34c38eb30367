import type { RunStats } from "../explore/run-stats.ts"
import type { StrategyName } from "../explore/strategies.ts"
import type { ChoiceLists } from "../kernel/choice-forks.ts"
import type { RunEnd, TracedStep } from "../report/run-trace.ts"
import type { CampaignOptions } from "./campaign.ts"
import type { Share } from "./shared-strategy.ts"

/** A program as others than its worker know it. */
export interface ProgramInfo {
  readonly name: string
  readonly exportName: string
  readonly seed: number
  readonly strategy: StrategyName
  /** `null` when its module does not say. */
  readonly runs: number | null
  /** `null` when its module does not say. */
  readonly budgetMs: number | null
  readonly shrinkRunsMax: number
  readonly goesOn: boolean
  /** Whether time decides nothing in its runs. */
  readonly isUntimed: boolean
  /** Why it cannot be run; `null` when it can. */
  readonly problem: string | null
}

/** A share of a campaign. */
export interface ShareJob {
  readonly exportName: string
  readonly share: Share
  /** Of the whole campaign. */
  readonly runs: number
  readonly seed: number
  readonly strategy: StrategyName
  /** Real time, from now. */
  readonly budgetMs: number | null
  /** Situations that some run must reach, beside those that the program names. */
  readonly goals: ReadonlyArray<string>
  /** Tokens that were kept, which are tried before all else. */
  readonly kept: ReadonlyArray<string>
  /** What is tried next, before what the program says. */
  readonly first: NonNullable<CampaignOptions["first"]>
}

/** How far a share has come. */
export interface ShareProgress {
  readonly runs: number
  /** How many things its runs reached, each counted once. */
  readonly reached: number
  /** Runs by strategy. */
  readonly strategies: Readonly<Record<string, number>>
  /** The first of its runs that failed, which is made again before it counts as found. */
  readonly failed?: { readonly run: number; readonly message: string } | undefined
}

/** A failure as it was found. */
export interface FoundFailure {
  /** The number of its run in the campaign. */
  readonly run: number
  readonly by: string
  readonly signature: string
  readonly message: string
  readonly token: string
}

/** What a share came to. */
export interface ShareResult {
  readonly stats: RunStats
  /** The hashes of its runs, each once, up to a bound: other shares may have made the same runs. */
  readonly hashes: ReadonlyArray<string>
  readonly coverage: ReadonlyArray<string>
  readonly goals: Readonly<Record<string, number>>
  readonly isComplete: boolean
  readonly failure: FoundFailure | null
  /** Kept tokens that are other runs by now, a text for each. */
  readonly outdated: ReadonlyArray<string>
}

/** What a program threw, as data. */
export interface ThrownError {
  readonly name: string
  readonly message: string
  readonly stack: string
  /** Its `_tag`, if it has one. */
  readonly tag: string | null
}

/** A run that was made again, as data. */
export interface ReplayedRun {
  readonly end: Exclude<RunEnd, { readonly type: "unknown" }>
  readonly steps: ReadonlyArray<TracedStep>
  /** Whether it has the hash of the token; `null` when one of them has none. */
  readonly isSame: boolean | null
  /** Where it left the run of the token before the last choice of that; `null` when it made all of its choices. */
  readonly difference: string | null
  /** Where it threw, as far as it says. */
  readonly stack: string | null
  /** `null` when it threw no error. */
  readonly thrown: ThrownError | null
}

/** A failure that is to be made small. */
export interface ShrinkJob {
  readonly exportName: string
  readonly token: string
  readonly runsMax: number
  readonly budgetMs: number
}

/** What shrinking came to. */
export interface SmallRun {
  readonly token: string
  readonly signature: string
  readonly lists: ChoiceLists
  readonly nonCalm: number
  readonly nonCalmBefore: number
  readonly replays: number
  readonly isMinimal: boolean
}

/**
 * Something that has loaded a module and runs its programs: a thread, or in tests this one. Jobs are done one after the other;
 * all of it is data, and passes between threads.
 *
 * @since 0.1.0
 * @category services
 */
export interface SimWorker {
  /** **Fails** with `ModuleRefused` */
  programs(): Promise<ReadonlyArray<ProgramInfo>>
  /** **Fails** with `NotDeterministic` */
  explore(job: ShareJob, onProgress: (progress: ShareProgress) => void): Promise<ShareResult>
  /** **Fails** with `InvalidToken` */
  replay(job: { readonly exportName: string; readonly token: string }): Promise<ReplayedRun>
  /** **Gives** `null` when the run does not fail */
  shrink(job: ShrinkJob): Promise<SmallRun | null>
  /** Ends it at once, whatever it does. */
  close(): Promise<void>
}

/** What a worker is started for. */
export interface WorkerSeat {
  /** The path of the module. */
  readonly module: string
  /** The memory of a `StopBoard`. */
  readonly memory: SharedArrayBuffer
  /** Which place on the board is the worker's. */
  readonly index: number
  /** What the module and its programs write, on whatever stream. */
  readonly onText: (text: string) => void
  /** Options of Node for its thread. Default: those of this process. */
  readonly execArgv?: ReadonlyArray<string> | undefined
}

/** Starts a worker. */
export type OpenSimWorker = (seat: WorkerSeat) => SimWorker
