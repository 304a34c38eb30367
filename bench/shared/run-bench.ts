import { execFile } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Bench } from "./bench.ts"
import { type BenchOptions, readBenchOptions } from "./bench-options.ts"
import { plotSvg } from "./report/plot.ts"
import { readSurroundings } from "./report/surroundings.ts"
import { exitCodeOf, type MeasuredRow, resultsText } from "./report/table.ts"
import type { RowResult, Sizes } from "./row.ts"

const root = process.env["UNDERSTUDY_BENCH_ROOT"] ?? process.cwd()
const jsonBytesMax = 16 * 1024 * 1024

/**
 * Runs a benchmark by the command line of this process: all rows, or with `--measure` one of them, here.
 *
 * **Takes** `main`, the file of this process, which is started anew for each row; `repetitions`, how often each rate is measured
 */
export const runBench = async (
  bench: Bench,
  { main, repetitions }: { readonly main: string; readonly repetitions: number }
): Promise<void> => {
  const [command, id, sizes] = process.argv.slice(2)
  const usual: Sizes = { repetitions, share: 1, own: {} }
  if (command === "--measure") await measureHere(bench, id ?? "", sizes === undefined ? usual : JSON.parse(sizes))
  else await measureAll(bench, main, usual)
}

/** Measures one row in this process, and writes what came of it as JSON. */
const measureHere = async (bench: Bench, id: string, sizes: Sizes): Promise<void> => {
  const row = bench.rows[id]
  if (row === undefined) throw new Error(`there is no row ${id}`)
  const measure = await row.load()
  process.stdout.write(JSON.stringify(await measure(sizes)))
}

/** Measures row after row, each in a fresh process, so that none profits or suffers from those before it. */
const measureAll = async (bench: Bench, main: string, usual: Sizes): Promise<void> => {
  const read = readBenchOptions(bench, process.argv.slice(2))
  if ("text" in read) {
    const stream = read.exitCode === 0 ? process.stdout : process.stderr
    stream.write(read.text)
    process.exitCode = read.exitCode
    return
  }
  const { options } = read
  const sizes: Sizes = { ...sizesOf(options, usual), own: options.own }
  const measured: Array<MeasuredRow> = []
  for (const [id, { title }] of Object.entries(bench.rows)) {
    if (options.only.length > 0 && !options.only.includes(id)) continue
    process.stderr.write(`${title} ...\n`)
    const where = readSurroundings(bench, root)
    measured.push({ id, title, where, result: await measureApart(main, id, sizes) })
  }
  process.stdout.write(resultsText(bench, measured))
  keep(bench, options, measured)
  process.exitCode = exitCodeOf(measured)
}

const sizesOf = ({ isQuick, isShort }: BenchOptions, usual: Sizes): Pick<Sizes, "repetitions" | "share"> => {
  if (isQuick) return { repetitions: 1, share: 0.01 }
  return isShort ? { repetitions: 3, share: 0.1 } : usual
}

const run = promisify(execFile)

const measureApart = async (main: string, id: string, sizes: Sizes): Promise<RowResult> => {
  try {
    const args = [main, "--measure", id, JSON.stringify(sizes)]
    return JSON.parse((await run(process.execPath, args, { maxBuffer: jsonBytesMax })).stdout)
  } catch (error) {
    return {
      how: "",
      figures: [],
      problems: [`could not be measured: ${error instanceof Error ? error.message : error}`]
    }
  }
}

/** Writes the files anew; rows that were not asked for stay as they were measured. Quick figures are kept only where somebody says. */
const keep = (bench: Bench, { out, isQuick, isShort }: BenchOptions, measured: ReadonlyArray<MeasuredRow>): void => {
  if (out === null && (isQuick || isShort)) return
  const folder = out ?? join(root, "bench")
  const json = join(folder, "results", bench.files.json)
  const before: ReadonlyArray<MeasuredRow> = existsSync(json) ? JSON.parse(readFileSync(json, "utf8")) : []
  const all = Object.keys(bench.rows).flatMap((id) => [...measured, ...before].find((row) => row.id === id) ?? [])
  mkdirSync(join(folder, "results"), { recursive: true })
  writeFileSync(join(folder, bench.files.table), resultsText(bench, all))
  writeFileSync(json, `${JSON.stringify(all, jsonValue, 2)}\n`)
  for (const { result } of measured)
    for (const [name, plot] of Object.entries(result.plots ?? {})) {
      mkdirSync(join(folder, "plots"), { recursive: true })
      writeFileSync(join(folder, "plots", `${name}.svg`), plotSvg(plot))
    }
}

/** JSON has no infinity. */
const jsonValue = (_key: string, value: unknown): unknown => (value === Number.POSITIVE_INFINITY ? noValue : value)
const noValue = Number.MAX_VALUE
