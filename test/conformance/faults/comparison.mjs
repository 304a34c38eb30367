// @ts-check
const marker = "fault-cell "

/**
 * One cell of the document beside what was seen.
 *
 * @typedef {{
 *   readonly fault: string
 *   readonly client: string
 *   readonly document: string
 *   readonly ours: string
 *   readonly agrees: boolean
 *   readonly reason: string | null
 * }} Cell
 */

/**
 * A cell as a test reports it to the run.
 *
 * @param {Cell} cell
 */
export const writeComparison = (cell) => `${marker}${JSON.stringify(cell)}`

/**
 * @param {string} text
 * @returns {Cell | null}
 */
export const readComparison = (text) => (text.startsWith(marker) ? JSON.parse(text.slice(marker.length)) : null)

const oursMax = 100

/**
 * Fault by fault what the document says and what was seen, and the differences that have a reason.
 *
 * @param {ReadonlyArray<Cell>} cells
 */
export function comparison(cells) {
  const [clients, sayings] = [cells.map(({ client }) => client), cells.map(({ document }) => document)].map(longest)
  const blocks = [...new Set(cells.map(({ fault }) => fault))].map((name) => {
    const rows = cells.filter(({ fault }) => fault === name)
    const lines = rows.map(({ client, document, ours, agrees }) =>
      [client.padEnd(clients ?? 0), document.padEnd(sayings ?? 0), agrees ? " " : "≠", shortened(ours)].join("  ")
    )
    return [
      `fault: ${name}`
        .padEnd(clients ?? 0)
        .concat("  document")
        .padEnd((clients ?? 0) + (sayings ?? 0) + 7)
        .concat("ours"),
      ...lines,
      ""
    ]
  })
  const reasons = cells.flatMap(({ client, fault, reason }) =>
    reason === null ? [] : [`≠ ${client}, ${fault}: ${reason}`]
  )
  return [
    ...blocks.flat(),
    ...reasons,
    `${cells.filter(({ agrees }) => agrees).length} of ${cells.length} cells agree`,
    ""
  ].join("\n")
}

/** @param {ReadonlyArray<string>} texts */
const longest = (texts) => Math.max(0, ...texts.map(({ length }) => length))

/** @param {string} text */
const shortened = (text) => (text.length > oursMax ? `${text.slice(0, oursMax - 1)}…` : text)
