import type { MeasureRow } from "./row.ts"

/** One row of a table; its code is loaded in the process that measures it. */
export interface BenchRow {
  readonly title: string
  readonly load: () => Promise<MeasureRow>
}

/** An option of one benchmark alone, beside those of all. */
export interface BenchOption {
  /** As in `PATH`; `null` for one that is said or not. */
  readonly takes: string | null
  readonly help: string
}

/** A benchmark: a command that measures rows and writes a table of them. */
export interface Bench {
  /** As in `npm run bench:sim`. */
  readonly command: string
  readonly purpose: string
  /** What makes it exit with 1, as in `hashes or answers`. */
  readonly wrong: string
  /** What `--quick` measures. */
  readonly quick: string
  /** The files: `results/NAME.json`, and the table, in one folder. */
  readonly files: { readonly json: string; readonly table: string }
  readonly heading: string
  /** Lines that stand above the table and say how figures are to be read. */
  readonly reading: ReadonlyArray<string>
  /** Packages whose versions matter. */
  readonly packages: ReadonlyArray<string>
  /** Folders of which what is measured is made. */
  readonly sources: ReadonlyArray<string>
  readonly options: Readonly<Record<string, BenchOption>>
  /** In the order of the table. */
  readonly rows: Readonly<Record<string, BenchRow>>
}
