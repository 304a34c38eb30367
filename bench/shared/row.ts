import type { Plot } from "./report/plot.ts"

/** What a figure has to reach. */
export type Bar = { readonly atLeast: number } | { readonly atMost: number } | { readonly exactly: number }

/** One number that was measured. Where it was measured several times it is the median, with the extremes beside it. */
export interface Figure {
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly min?: number
  readonly max?: number
  /** All of them, in the order in which they were taken. */
  readonly readings?: ReadonlyArray<number>
  /** The same as a ratio to the reference loop of the same moments: it changes less with the load of the machine. */
  readonly perReference?: number
  /** Without a bar it is told for comparison. */
  readonly bar?: Bar
}

/** What a row came to. */
export interface RowResult {
  /** What was measured, and how, in one line. */
  readonly how: string
  readonly figures: ReadonlyArray<Figure>
  /** Where the answers were wrong, whatever their speed: each makes the benchmark fail. */
  readonly problems: ReadonlyArray<string>
  /** Pictures of it, by the name of their file. */
  readonly plots?: Readonly<Record<string, Plot>>
}

/** How much is measured. */
export interface Sizes {
  /** How often each rate is measured. */
  readonly repetitions: number
  /** A share of the usual amount of work, from 0 to 1. */
  readonly share: number
  /** Options that the benchmark has beside those of all. */
  readonly own: Readonly<Record<string, ReadonlyArray<string>>>
}

/** Measures one row, in a process of its own. */
export type MeasureRow = (sizes: Sizes) => Promise<RowResult>

/** So much of the usual amount of work, at least `least`. */
export const sized = (usual: number, { share }: Sizes, least = 1): number => Math.max(least, Math.round(usual * share))

/** Whether a figure reaches its bar; a figure without one does. */
export const reaches = ({ value, bar }: Figure): boolean => {
  if (bar === undefined) return true
  if ("atLeast" in bar) return value >= bar.atLeast
  return "atMost" in bar ? value <= bar.atMost : value === bar.exactly
}
