// @ts-check

/**
 * Which check of which client: one cell of the table of a family.
 *
 * @typedef {{ readonly family: string, readonly client: string, readonly check: string }} CheckName
 * @typedef {{ readonly name: CheckName, readonly failure: string | null }} Result
 */

/** @param {CheckName} name */
export const writeName = ({ family, client, check }) => JSON.stringify([family, client, check])

/**
 * The name of a check as the runner reports it; what is no check is a file that could not be run.
 *
 * @param {string} text
 * @returns {CheckName}
 */
export function readName(text) {
  if (!text.startsWith("[")) return { family: "setup", client: "all", check: `${text} runs to its end` }
  const [family, client, check] = JSON.parse(text)
  return { family, client, check }
}

/**
 * One table for each family of clients: a row for each check, a column for each client.
 *
 * @param {ReadonlyArray<Result>} results
 */
export function tables(results) {
  const families = new Set(results.map(({ name }) => name.family))
  return [...families]
    .sort()
    .map((family) =>
      table(
        family,
        results.filter(({ name }) => name.family === family)
      )
    )
    .join("\n")
}

/**
 * The message of a failure and the lines of ours that led to it.
 *
 * @param {Result} result
 */
export const failureText = ({ name, failure }) =>
  `FAILED ${name.family} ${name.client}: ${name.check}\n${ownLines(failure ?? "").replace(/^/gm, "  ")}\n`

/** @param {string} stack */
const ownLines = (stack) =>
  stack
    .split("\n")
    .filter((line) => !/^\s+at /.test(line) || line.includes("test/conformance"))
    .join("\n")

/**
 * @param {string} family
 * @param {ReadonlyArray<Result>} results
 */
function table(family, results) {
  const clients = [...new Set(results.map(({ name }) => name.client))]
  const checks = [...new Set(results.map(({ name }) => name.check))]
  const rows = checks.map((check) => [
    check,
    ...clients.map((client) => {
      const found = results.find(({ name }) => name.check === check && name.client === client)
      if (found === undefined) return ""
      return found.failure === null ? "ok" : "FAILED"
    })
  ])
  const lines = [[family, ...clients], ...rows]
  const widths = [family, ...clients].map((_, column) =>
    Math.max(...lines.map((cells) => (cells[column] ?? "").length))
  )
  return lines
    .map(
      (cells) =>
        `${cells
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`
    )
    .join("")
}
