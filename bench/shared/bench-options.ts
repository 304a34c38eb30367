import { parseArgs } from "node:util"
import type { Bench } from "./bench.ts"

/** What a benchmark was asked for. */
export interface BenchOptions {
  readonly only: ReadonlyArray<string>
  readonly isQuick: boolean
  /** A tenth of the usual work, three times: figures that are noisy, and say something. */
  readonly isShort: boolean
  readonly out: string | null
  /** The options of this benchmark alone, those that take nothing as `yes`. */
  readonly own: Readonly<Record<string, ReadonlyArray<string>>>
}

/** What the command line came to: options, or what to print and the exit code. */
export type ReadOptions = { readonly options: BenchOptions } | { readonly text: string; readonly exitCode: number }

const usageOf = (bench: Bench): string => {
  const { command, purpose, files, quick, wrong } = bench
  const own = Object.entries(bench.options)
  const flags = own.map(([name, { takes }]) => (takes === null ? `[--${name}]` : `[--${name} ${takes}]...`))
  const lines = [
    ["--only ROW", "only this row, the others stay in the files as they were; may be given several times"],
    ...own.map(([name, { takes, help }]) => [takes === null ? `--${name}` : `--${name} ${takes}`, help]),
    ["--quick", quick],
    ["--short", "a tenth of the usual work, three times"],
    ["--out FOLDER", `where ${files.table} and results/${files.json} go (bench)`],
    ["--bundle FOLDER", "keeps the bundles there, for node --cpu-prof FOLDER/main.js --measure ROW"],
    ["--help", "show this help"]
  ]
  return `Usage: ${command} -- [--only ROW]... ${[...flags, "[--quick | --short] [--out FOLDER]"].join(" ")}

${purpose}, and prints a Markdown table.

${lines.map(([option, help]) => `  ${option?.padEnd(15)}  ${help}`).join("\n")}

Rows: ${Object.keys(bench.rows).join(", ")}

Exits 0 when all answers are right, whether bars are met or not; 1 when ${wrong} are wrong; 2 for a bad command line.
`
}

export const readBenchOptions = (bench: Bench, args: ReadonlyArray<string>): ReadOptions => {
  const usage = usageOf(bench)
  try {
    const said = readAll(bench, args)
    if (said["help"] !== undefined) return { text: usage, exitCode: 0 }
    const only = said["only"] ?? []
    const unknown = only.find((name) => bench.rows[name] === undefined)
    if (unknown !== undefined)
      throw new Error(`--only ${unknown}: there is no such row; there are ${Object.keys(bench.rows).join(", ")}`)
    const own = Object.fromEntries(Object.entries(said).filter(([name]) => bench.options[name] !== undefined))
    return {
      options: {
        only,
        isQuick: said["quick"] !== undefined,
        isShort: said["short"] !== undefined,
        out: said["out"]?.at(-1) ?? null,
        own
      }
    }
  } catch (error) {
    return { text: `${error instanceof Error ? error.message : error}\n\n${usage}`, exitCode: 2 }
  }
}

/** What was said, by option, in order. */
const readAll = (bench: Bench, args: ReadonlyArray<string>): Record<string, ReadonlyArray<string>> => {
  const own = Object.entries(bench.options).map(([name, { takes }]) => [name, takes === null ? flag : text])
  const options = {
    only: text,
    quick: flag,
    short: flag,
    out: text,
    bundle: text,
    help: flag,
    ...Object.fromEntries(own)
  }
  const said: Record<string, ReadonlyArray<string>> = {}
  for (const token of parseArgs({ args: [...args], options, tokens: true }).tokens)
    if (token.kind === "option") said[token.name] = [...(said[token.name] ?? []), token.value ?? "yes"]
  return said
}

const flag = { type: "boolean" } as const
const text = { type: "string" } as const
