import type { Choice } from "../../kernel/choice.ts"
import { unitStream } from "./choose.ts"

/**
 * The waits that a profile can vary: the pause after a piece, and the silence before the head.
 *
 * @since 0.1.0
 * @category models
 */
export type TimingKind = "chunkDelayMs" | "headDelayMs"

/** @since 0.1.0 @category models */
export const timingKinds: ReadonlyArray<TimingKind> = ["chunkDelayMs", "headDelayMs"]

/**
 * How long a wait is, in whole milliseconds: always the same; each from `leastMs` to `mostMs` alike; mostly short and
 * sometimes long, but never longer than `capMs`.
 *
 * **Source** fault-server.md, section 9.5
 *
 * @since 0.1.0
 * @category models
 */
export type TimingDistribution =
  | { readonly kind: "fixed"; readonly ms: number }
  | { readonly kind: "uniform"; readonly leastMs: number; readonly mostMs: number }
  | { readonly kind: "exponential"; readonly meanMs: number; readonly capMs: number }

/**
 * The wait that a draw stands for. A fixed one takes no draw.
 *
 * **Takes** `draw`, which gives the next number from 0 to 1, which excluded
 * **Gives** whole milliseconds
 *
 * @since 0.1.0
 * @category faults
 */
export const timingMs = (distribution: TimingDistribution, draw: () => number): number => {
  if (distribution.kind === "fixed") return distribution.ms
  if (distribution.kind === "uniform") {
    const { leastMs, mostMs } = distribution
    return leastMs + Math.floor(draw() * (mostMs - leastMs + 1))
  }
  return Math.min(distribution.capMs, Math.round(0 - distribution.meanMs * Math.log(1 - draw())))
}

/**
 * Jitter that follows from the seed of the jitter stream alone.
 *
 * @since 0.1.0
 * @category constructors
 */
export const seededJitter = unitStream

/**
 * Jitter in sixteenths that another source chooses; the calm one is the shortest. The draws are labelled
 * `jitter/<lane>`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const choiceJitter =
  (choice: Choice, lane: string): (() => number) =>
  () =>
    choice.draw(jitterSteps, `jitter/${lane}`) / jitterSteps

const jitterSteps = 16
