import type { CorpusBug, CorpusCase } from "./corpus-bug.ts"
import type { Searched } from "./search-case.ts"

/** A case and what became of it, from each seed. */
export interface MeasuredCase {
  readonly bug: CorpusBug
  readonly one: CorpusCase
  readonly searches: ReadonlyArray<Searched>
}

/** A table for people, in Markdown. */
export const tableOf = (measured: ReadonlyArray<MeasuredCase>): string =>
  [
    "| # | bug | client | found in schedule | choices not calm | real ms |",
    "| --- | --- | --- | --- | --- | --- |",
    ...measured.map(rowOf),
    ""
  ].join("\n")

const rowOf = ({ bug, one, searches }: MeasuredCase): string => {
  const cells = [
    String(bug.row),
    bug.name,
    one.client,
    each(searches, ({ found, runs }) => (found === null ? `none of ${runs}` : String(found.schedules))),
    each(searches, ({ found }) => (found === null ? "" : String(found.nonCalm))),
    each(searches, ({ realMs }) => realMs.toFixed(0))
  ]
  return `| ${cells.join(" | ")} |`
}

const each = (searches: ReadonlyArray<Searched>, text: (searched: Searched) => string): string =>
  searches.map(text).join(", ")
