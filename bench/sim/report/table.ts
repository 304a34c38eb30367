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
export const resultsText = (measured: ReadonlyArray<MeasuredRow>): string =>
  [
    "# Simulation, measured",
    "",
    "Measured by `npm run bench:sim`:",
    "",
    ...whereLines(measured),
    "",
    "Rates are per CPU-second of the process, user and system, garbage collection and compilation in other threads included: the",
    "median of the repetitions, smallest and largest beside it. `× ref` is the same divided by the rate of a fixed loop of plain",
    "JavaScript that runs just before and after, in rounds per CPU-second: it tells a slow machine from slow code.",
    "",
    "| measured | bar | figure | range | × ref | |",
    "| --- | --- | --- | --- | --- | --- |",
    ...measured.flatMap(({ title, result }) => [
      `| **${title}** | | | | | |`,
      ...result.figures.map((figure) => lineOf(figure))
    ]),
    "",
    ...howLines(measured),
    ...problemLines(measured),
    ""
  ].join("\n")

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

const lineOf = (figure: Figure): string => {
  const { what, value, unit, min, max, perReference, bar } = figure
  const range = min === undefined || max === undefined || min === max ? "" : `${numberText(min)} – ${numberText(max)}`
  const mark = bar === undefined ? "" : reaches(figure) ? "ok" : missedText(value, bar)
  const ratio = perReference === undefined ? "" : ratioText(perReference)
  return `| ${what} | ${bar === undefined ? "" : barText(bar)} | ${numberText(value)} ${unit} | ${range} | ${ratio} | ${mark} |`
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
