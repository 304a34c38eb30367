import { execFile } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { type BenchOptions, readBenchOptions } from "./bench-options.ts"
import { readSurroundings } from "./report/surroundings.ts"
import { exitCodeOf, type MeasuredRow, resultsText } from "./report/table.ts"
import type { RowResult, Sizes } from "./row.ts"
import { rows } from "./rows.ts"

const self = fileURLToPath(import.meta.url)
const root = process.env["UNDERSTUDY_BENCH_ROOT"] ?? process.cwd()
const jsonBytesMax = 16 * 1024 * 1024
const repetitions = 5

/** Measures one row in this process, and writes what came of it as JSON. */
const measureHere = async (id: string, sizes: string | undefined): Promise<void> => {
  const row = rows[id]
  if (row === undefined) throw new Error(`there is no row ${id}`)
  const usual: Sizes = { repetitions, share: 1, nodes: [] }
  const measure = await row.load()
  process.stdout.write(JSON.stringify(await measure(sizes === undefined ? usual : JSON.parse(sizes))))
}

/** Measures row after row, each in a fresh process, so that none profits or suffers from those before it. */
const measureAll = async (): Promise<void> => {
  const read = readBenchOptions(process.argv.slice(2))
  if ("text" in read) {
    const stream = read.exitCode === 0 ? process.stdout : process.stderr
    stream.write(read.text)
    process.exitCode = read.exitCode
    return
  }
  const { options } = read
  const measured: Array<MeasuredRow> = []
  for (const [id, { title }] of Object.entries(rows)) {
    if (options.only.length > 0 && !options.only.includes(id)) continue
    process.stderr.write(`${title} ...\n`)
    const where = readSurroundings(root)
    measured.push({ id, title, where, result: await measureApart(id, options) })
  }
  process.stdout.write(resultsText(measured))
  keep(options, measured)
  process.exitCode = exitCodeOf(measured)
}

const run = promisify(execFile)

const measureApart = async (id: string, { isQuick, nodes }: BenchOptions): Promise<RowResult> => {
  const sizes: Sizes = isQuick ? { repetitions: 1, share: 0.01, nodes } : { repetitions, share: 1, nodes }
  try {
    const args = [self, "--measure", id, JSON.stringify(sizes)]
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
const keep = ({ out, isQuick }: BenchOptions, measured: ReadonlyArray<MeasuredRow>): void => {
  if (out === null && isQuick) return
  const folder = out ?? join(root, "bench")
  const json = join(folder, "results/sim.json")
  const before: ReadonlyArray<MeasuredRow> = existsSync(json) ? JSON.parse(readFileSync(json, "utf8")) : []
  const all = Object.keys(rows).flatMap((id) => [...measured, ...before].find((row) => row.id === id) ?? [])
  mkdirSync(join(folder, "results"), { recursive: true })
  writeFileSync(join(folder, "RESULTS-sim.md"), resultsText(all))
  writeFileSync(json, `${JSON.stringify(all, jsonValue, 2)}\n`)
}

/** JSON has no infinity. */
const jsonValue = (_key: string, value: unknown): unknown => (value === Number.POSITIVE_INFINITY ? noValue : value)
const noValue = Number.MAX_VALUE

const [command, id, sizes] = process.argv.slice(2)
if (command === "--measure") await measureHere(id ?? "", sizes)
else await measureAll()
