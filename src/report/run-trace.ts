import type { Draw } from "../kernel/choice-sources.ts"
import type { OpKind } from "../kernel/op.ts"

/**
 * One step of a run as reports show it: what happened, to whom, because of what, and what was chosen.
 *
 * @since 0.1.0
 * @category traces
 */
export interface TracedStep extends StepDetail {
  /** Running number in its run, from 1. */
  readonly step: number
  /** Virtual time in milliseconds. */
  readonly at: number
  readonly kind: OpKind
  readonly label: string
  /** To whom it happened. */
  readonly actor: string
  readonly channel: string | null
  readonly chain: number
  /** The step that planned it; `null` for what was planned from outside, or by a step that was not kept. */
  readonly cause: number | null
  /** How many operations could have happened in its place, itself among them. */
  readonly enabled: number
  /** What was drawn to pick it, and then while it happened. */
  readonly draws: ReadonlyArray<Draw>
  /** What it touched, where that is not its actor alone. */
  readonly touches?: ReadonlyArray<string> | undefined
}

/**
 * What a run may say of a step beyond what the kernel knows.
 *
 * @since 0.1.0
 * @category traces
 */
export interface StepDetail {
  /** Who sent it, where that is another than the actor it happened to. */
  readonly from?: string | undefined
  /** For people. */
  readonly note?: string | undefined
  /** The state of the actor after it. */
  readonly state?: string | undefined
  /** What went over the wire, as text. */
  readonly bytes?: string | undefined
}

/** What an option of a run may be. */
export type OptionValue = string | number | boolean | null

/**
 * Under what a run was made: what is needed to make it again, and to say why it went another way.
 *
 * **Source** simulation.md, section 5.6
 *
 * @since 0.1.0
 * @category traces
 */
export interface TraceHeader {
  /** What was run, such as the title of a test. */
  readonly title: string
  /** Version of this package. */
  readonly engine: string
  readonly strategy: string
  readonly seed: number
  readonly options: Readonly<Record<string, OptionValue>>
  /** Version of Node. */
  readonly node: string
  /** Hash of the definitions of the charts. */
  readonly machines: string
  /** Hash of the lock file. */
  readonly lock: string
}

/**
 * How a run ended; `unknown` when it did not, because the process that made it was stopped.
 *
 * @since 0.1.0
 * @category traces
 */
export type RunEnd =
  | { readonly type: "unknown" }
  | { readonly type: "ok"; readonly hash: string | null; readonly token: string | null }
  | FailedEnd

/** The end of a run that failed. */
export interface FailedEnd {
  readonly type: "failed"
  readonly hash: string | null
  /** What the run can be had again from, in one word. */
  readonly token: string | null
  /** Which invariant did not hold; `null` when none that has a name. */
  readonly oracle: string | null
  /** Two failures are the same when their signatures are. */
  readonly signature: string
  readonly message: string
  /** The steps at which it showed; empty for the last one. */
  readonly failedAt: ReadonlyArray<number>
}

/**
 * A run as data: every report is a view of it.
 *
 * @since 0.1.0
 * @category traces
 */
export interface RunTrace {
  readonly header: TraceHeader
  readonly end: RunEnd
  /** In order; the oldest may be missing. */
  readonly steps: ReadonlyArray<TracedStep>
}
