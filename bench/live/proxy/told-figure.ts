import { summary } from "../../shared/measure/summary.ts"
import type { Figure } from "../../shared/row.ts"

/** The median of what was read several times, with the readings. */
export const toldFigure = <Made>(
  what: string,
  unit: string,
  made: ReadonlyArray<Made>,
  readingOf: (made: Made) => number
): Figure => {
  const readings = made.map(readingOf)
  const { median, min, max } = summary(readings)
  return { what, value: median, min, max, unit, readings }
}
