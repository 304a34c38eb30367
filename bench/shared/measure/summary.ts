/** The middle and the extremes of several readings. */
export interface Summary {
  readonly median: number
  readonly min: number
  readonly max: number
}

export const summary = (readings: ReadonlyArray<number>): Summary => {
  const sorted = readings.toSorted((one, other) => one - other)
  const below = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
  const above = sorted[Math.ceil((sorted.length - 1) / 2)] ?? Number.NaN
  return { median: (below + above) / 2, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN }
}
