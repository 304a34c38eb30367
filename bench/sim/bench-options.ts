import { parseArgs } from "node:util"
import { rows } from "./rows.ts"

/** What the benchmark was asked for. */
export interface BenchOptions {
  readonly only: ReadonlyArray<string>
  readonly nodes: ReadonlyArray<string>
  readonly isQuick: boolean
  readonly out: string | null
}

/** What the command line came to: options, or what to print and the exit code. */
export type ReadOptions = { readonly options: BenchOptions } | { readonly text: string; readonly exitCode: number }

export const usage = `Usage: npm run bench:sim -- [--only ROW]... [--node PATH]... [--quick] [--out FOLDER]

Measures simulation against the bars that the project sets itself, and prints a Markdown table.

  --only ROW     only this row, the others stay in the files as they were; may be given several times
  --node PATH    another Node, which has to give the same hashes (row same-seed)
  --quick        tiny sizes: whether the answers are right, its rates say nothing
  --packages     also bugs whose packages are installed on demand (rows corpus, corpus-fixed); installs them once
  --out FOLDER   where RESULTS-sim.md and results/sim.json go (bench)
  --bundle FOLDER  keeps the bundles there, for node --cpu-prof FOLDER/main.js --measure ROW
  --help         show this help

Rows: ${Object.keys(rows).join(", ")}

Exits 0 when all answers are right, whether bars are met or not; 1 when hashes or answers are wrong; 2 for a bad command line.
`

export const readBenchOptions = (args: ReadonlyArray<string>): ReadOptions => {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        only: { type: "string", multiple: true, default: [] },
        node: { type: "string", multiple: true, default: [] },
        quick: { type: "boolean", default: false },
        packages: { type: "boolean", default: false },
        out: { type: "string" },
        bundle: { type: "string" },
        help: { type: "boolean", default: false }
      }
    })
    if (values.help) return { text: usage, exitCode: 0 }
    const unknown = values.only.find((name) => rows[name] === undefined)
    if (unknown !== undefined)
      throw new Error(`--only ${unknown}: there is no such row; there are ${Object.keys(rows).join(", ")}`)
    return { options: { only: values.only, nodes: values.node, isQuick: values.quick, out: values.out ?? null } }
  } catch (error) {
    return { text: `${error instanceof Error ? error.message : error}\n\n${usage}`, exitCode: 2 }
  }
}
