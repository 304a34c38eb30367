import { cpuSeconds } from "../../shared/measure/cpu-seconds.ts"
import { summary } from "../../shared/measure/summary.ts"
import type { Bar, Figure, Sizes } from "../../shared/row.ts"
import { referenceRate } from "./reference-loop.ts"

/** Work that is counted in several ways, such as runs and segments. */
export type Counts<Name extends string> = Readonly<Record<Name, number>>

/** How a rate is told. */
export interface Told {
  readonly what: string
  readonly unit: string
  readonly bar?: Bar
}

/**
 * Measures how much a piece of work does in a CPU-second: once to warm up, then as often as it is asked for, each time beside a
 * reading of the reference loop.
 */
export const measureRates = async <Name extends string>(
  work: () => Counts<Name> | Promise<Counts<Name>>,
  told: Readonly<Record<Name, Told>>,
  { repetitions }: Pick<Sizes, "repetitions">
): Promise<ReadonlyArray<Figure>> => {
  const names = Object.keys(told).filter((name): name is Name => name in told)
  const rates: Array<{ readonly reference: number; readonly counts: Counts<Name>; readonly seconds: number }> = []
  await work()
  referenceRate()
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const before = referenceRate()
    const began = cpuSeconds()
    const counts = await work()
    const seconds = cpuSeconds() - began
    rates.push({ counts, seconds, reference: (before + referenceRate()) / 2 })
  }
  return names.map((name) => {
    const { median, min, max } = summary(rates.map(({ counts, seconds }) => counts[name] / seconds))
    const ratios = rates.map(({ counts, seconds, reference }) => counts[name] / seconds / reference)
    return { ...told[name], value: median, min, max, perReference: summary(ratios).median }
  })
}
