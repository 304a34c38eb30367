import { isErrorLike, thrownText } from "../domain/error-like.ts"

/**
 * The fence cannot be put up: other fake timers are active, or a run is in progress where none may be.
 *
 * @since 0.1.0
 * @category errors
 */
export class FenceRefused extends Error {
  readonly _tag = "FenceRefused"
  constructor(message: string) {
    super(message)
    this.name = "FenceRefused"
  }
}

/**
 * Code that a run left behind went on and asked for a timer or a draw after that run's end; it gets neither.
 *
 * @since 0.1.0
 * @category errors
 */
export class ForeignRun extends Error {
  readonly _tag = "ForeignRun"
  /** What was called. */
  readonly what: string
  constructor(what: string) {
    super(
      `${what} was called by code of a simulated run that is over: it would disturb whatever runs now, so it is refused`
    )
    this.name = "ForeignRun"
    this.what = what
  }
}

/**
 * Code inside a run reached for the real world; the stack says where.
 *
 * @since 0.1.0
 * @category errors
 */
export class EscapedFence extends Error {
  readonly _tag = "EscapedFence"
  /** What was called. */
  readonly what: string
  constructor(what: string, advice: string) {
    super(`${what} inside a simulated run reaches the real world, which no seed can repeat: ${advice}`)
    this.name = "EscapedFence"
    this.what = what
  }
}

/**
 * Nothing is left that could happen, and the run's program still waits: it would hang for ever.
 *
 * @since 0.1.0
 * @category errors
 */
export class Deadlock extends Error {
  readonly _tag = "Deadlock"
  /** Who waits for what, as far as the simulated world knows. */
  readonly waiting: ReadonlyArray<string>
  /** Virtual time in milliseconds. */
  readonly atMs: number
  readonly steps: number
  constructor(facts: {
    readonly waiting: ReadonlyArray<string>
    /** How many real timers the test runner has started for code of the run. */
    readonly runnerTimers?: number
    readonly atMs: number
    readonly steps: number
  }) {
    const { steps, atMs, waiting, runnerTimers = 0 } = facts
    // Where it is known who waits for whom, that is the answer.
    const lines = waiting.length > 0 && runnerTimers === 0 ? waiting : [...waiting, unseen(runnerTimers)]
    super(`the program hangs: after ${steps} steps, at ${atMs} ms, nothing is left to happen${linesOf(lines)}`)
    this.name = "Deadlock"
    this.waiting = facts.waiting
    this.atMs = facts.atMs
    this.steps = facts.steps
  }
}

/**
 * An error that nobody caught came when the body of the run had ended: what failed was still going on, as it does where an `await`
 * is missing. `cause` is that error.
 *
 * @since 0.1.0
 * @category errors
 */
export class AwaitMissing extends Error {
  readonly _tag = "AwaitMissing"
  /** What was going on when the body ended, as far as the simulated world knows. */
  readonly left: ReadonlyArray<string>
  constructor(error: unknown, left: ReadonlyArray<string>) {
    super(
      `an \`await\` is probably missing: when the test body had ended, nobody caught ${saidBy(error)}${linesOf(left)}`,
      { cause: error }
    )
    this.name = "AwaitMissing"
    this.left = left
  }
}

/** An error in one line, with its reason where it has one. */
const saidBy = (error: unknown): string => {
  const reason = isErrorLike(error) && isErrorLike(error.cause) ? ` (${error.cause.message})` : ""
  return `${thrownText(error).split("\n", 1)[0]}${reason}`
}

/** What it may wait for beyond the simulated world. */
const unseen = (runnerTimers: number): string =>
  runnerTimers === 0
    ? "(unless it waits for what no run sees: a module that something else than Node or Vitest loads inside the run)"
    : `(unless it waits for real time: the test runner has started ${runnerTimers} real timers in this run, as vi.waitFor, ` +
      "expect.poll and printing do; wait for what happens instead, or look again after sim.sleep)"

const linesOf = (lines: ReadonlyArray<string>): string => lines.map((line) => `\n  ${line}`).join("")

/**
 * A run went on past its limit of steps or of virtual time.
 *
 * @since 0.1.0
 * @category errors
 */
export class Livelock extends Error {
  readonly _tag = "Livelock"
  readonly limit: "steps" | "time"
  readonly atMs: number
  readonly steps: number
  /** What happened most often among the newest steps. */
  readonly busiest: ReadonlyArray<string>
  /** Who waits for what, as far as the simulated world knows. */
  readonly waiting: ReadonlyArray<string>
  constructor(facts: {
    readonly limit: "steps" | "time"
    readonly atMs: number
    readonly steps: number
    readonly busiest: ReadonlyArray<string>
    readonly waiting: ReadonlyArray<string>
  }) {
    const what = facts.limit === "steps" ? "steps" : "virtual time"
    super(
      `the program does not end: its limit of ${what} is reached after ${facts.steps} steps, at ${facts.atMs} ms; ` +
        `most often: ${facts.busiest.join(", ") || "nothing"}${linesOf(facts.waiting)}`
    )
    this.name = "Livelock"
    this.limit = facts.limit
    this.atMs = facts.atMs
    this.steps = facts.steps
    this.busiest = facts.busiest
    this.waiting = facts.waiting
  }
}

/**
 * Real work that a run started, a file or a job of the thread pool, did not come back in real time.
 *
 * @since 0.1.0
 * @category errors
 */
export class RealWorkStuck extends Error {
  readonly _tag = "RealWorkStuck"
  readonly pending: ReadonlyArray<string>
  constructor(pending: ReadonlyArray<string>, afterMs: number) {
    super(`a simulated run waited ${afterMs} real ms for ${pending.join(", ")}: raise limits.realMsMax, or simulate it`)
    this.name = "RealWorkStuck"
    this.pending = pending
  }
}
