// @ts-check

/**
 * @typedef {{ what: string, value: number, unit: string }} Figure
 * @typedef {{ id: string, result: { figures: ReadonlyArray<Figure>, problems: ReadonlyArray<string> } }} Row
 */

/** The system counts it in hundredths of a second, which are few in a short run. */
const coarse = "CPU time for a request"

/** How much worse than what was kept a ratio may be. */
const grossly = 2

/**
 * Ratios of ours to the bare server, beside those that were kept. A `×` is better when it is small, an `of` when it is great.
 *
 * @param {ReadonlyArray<Row>} kept
 * @param {ReadonlyArray<Row>} now
 * @returns {ReadonlyArray<{ text: string, isGross: boolean }>}
 */
export const compared = (kept, now) =>
  now.flatMap(({ id, result }) =>
    result.figures
      .filter(({ what, unit }) => what.startsWith("ours") && unit.endsWith("bare") && !what.endsWith(coarse))
      .map(({ what, value, unit }) => {
        const before = kept
          .find((row) => row.id === id)
          ?.result.figures.find((figure) => figure.what === what && figure.unit === unit)
        const worse = before === undefined ? 1 : unit.startsWith("×") ? value / before.value : before.value / value
        // A ratio that is none is worse than any.
        const isGross = !(worse <= grossly)
        const beside = before === undefined ? "none is kept" : `kept ${before.value.toFixed(2)}`
        return {
          text: `${isGross ? "WORSE" : "ok   "} ${id}, ${what}: ${value.toFixed(2)} ${unit} (${beside})`,
          isGross
        }
      })
  )
