import type { Bench } from "../bench.ts"
import { type Bar, type Figure, type RowResult, reaches } from "../row.ts"
import type { Surroundings } from "./surroundings.ts"

/** A row that was measured, and where. */
export interface MeasuredRow {
  readonly id: string
  readonly title: string
  readonly where: Surroundings
  readonly result: RowResult
}

/** 0 when all answers are right, whether bars are met or not; 1 when some are wrong. */
export const exitCodeOf = (measured: ReadonlyArray<MeasuredRow>): number =>
  measured.some(({ result }) => result.problems.length > 0) ? 1 : 0

/** All that was measured, as Markdown. */
export const resultsText = (
  { command, heading, reading }: Pick<Bench, "command" | "heading" | "reading">,
  measured: ReadonlyArray<MeasuredRow>
): string => {
  const hasReference = measured.some(({ result }) => result.figures.some((figure) => figure.perReference !== undefined))
  const line = (cells: ReadonlyArray<string>): string =>
    `| ${cells.filter((_, column) => hasReference || column !== referenceColumn).join(" | ")} |`
  return [
    `# ${heading}`,
    "",
    `Measured by \`${command}\`:`,
    "",
    ...whereLines(measured),
    "",
    ...reading,
    "",
    `${line(["measured", "bar", "figure", "range", "× ref"])} |`,
    line(["---", "---", "---", "---", "---", "---"]),
    ...measured.flatMap(({ title, result }) => [
      `| **${title}** ${"| ".repeat(hasReference ? 5 : 4)}|`,
      ...result.figures.map((figure) => line(cellsOf(figure)))
    ]),
    "",
    ...howLines(measured),
    ...problemLines(measured),
    ""
  ].join("\n")
}

/** Rows that were measured in the same place are told together, whatever the load of the moment was. */
const whereLines = (measured: ReadonlyArray<MeasuredRow>): ReadonlyArray<string> => {
  const places = new Map<string, Array<MeasuredRow>>()
  for (const row of measured) {
    const { machine, node, commit, packages } = row.where
    const versions = Object.entries(packages).map(([name, version]) => `${name} ${version}`)
    const place = `${machine}; Node ${node}; ${versions.join(", ")}; commit ${commit}`
    places.set(place, [...(places.get(place) ?? []), row])
  }
  return [...places].map(([place, rows]) => {
    const moments = rows.map(({ id, where }) => `${id} ${where.at}, load ${where.load}`)
    return `* ${place}. Rows, with their time (UTC) and the load of the machine: ${moments.join("; ")}.`
  })
}

const referenceColumn = 4

const cellsOf = (figure: Figure): ReadonlyArray<string> => {
  const { what, value, unit, min, max, perReference, bar } = figure
  const range = min === undefined || max === undefined || min === max ? "" : `${numberText(min)} – ${numberText(max)}`
  const mark = bar === undefined ? "" : reaches(figure) ? "ok" : missedText(value, bar)
  const ratio = perReference === undefined ? "" : ratioText(perReference)
  return [what, bar === undefined ? "" : barText(bar), `${numberText(value)} ${unit}`, range, ratio, mark]
}

const barText = (bar: Bar): string => {
  if ("atLeast" in bar) return `≥ ${numberText(bar.atLeast)}`
  return "atMost" in bar ? `≤ ${numberText(bar.atMost)}` : `= ${numberText(bar.exactly)}`
}

const missedText = (value: number, bar: Bar): string => {
  const wanted = "atLeast" in bar ? bar.atLeast : "atMost" in bar ? bar.atMost : bar.exactly
  return isNone(value) ? "missed" : `missed by ${numberText(Math.abs(value - wanted))}`
}

const numberText = (value: number): string => {
  if (isNone(value)) return "none"
  const digits = Number.isInteger(value) || Math.abs(value) >= 1_000 ? 0 : Math.abs(value) >= 10 ? 1 : 3
  return value.toLocaleString("en-US", { maximumFractionDigits: digits })
}

/** Kept as JSON, which has no infinity, it is the largest number. */
const isNone = (value: number): boolean => !(value < Number.MAX_VALUE)

const ratioText = (ratio: number): string => ratio.toPrecision(3)

const howLines = (measured: ReadonlyArray<MeasuredRow>): ReadonlyArray<string> => [
  "How:",
  "",
  ...measured.map(({ title, result }) => `* **${title}.** ${result.how}`)
]

const problemLines = (measured: ReadonlyArray<MeasuredRow>): ReadonlyArray<string> => {
  const problems = measured.flatMap(({ id, result }) => result.problems.map((problem) => `* ${id}: ${problem}`))
  return problems.length === 0 ? [] : ["", "**Wrong answers:**", "", ...problems]
}
