// @ts-check
/**
 * A short run of what is measured beside a bare server, told beside what is kept in `bench/results`. Only a gross regression is one:
 * less than half of the ratio that was kept. So the noise of a machine fails nothing.
 *
 * Exits 1 when a ratio is below its half, or an answer is wrong.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { compared } from "./compared.mjs"

const here = dirname(fileURLToPath(import.meta.url))
const out = mkdtempSync(join(tmpdir(), "understudy-bench-"))
const rows = ["completions", "streams", "new-connections"]
const args = [...rows.flatMap((row) => ["--only", row]), "--short", "--ours", "--out", out]
const { status } = spawnSync(process.execPath, [join(here, "run.mjs"), ...args], {
  stdio: ["ignore", "ignore", "inherit"]
})

/** @param {string} path */
const read = (path) => JSON.parse(readFileSync(path, "utf8"))

const lines = compared(read(join(here, "../results/live.json")), read(join(out, "results/live.json")))
rmSync(out, { recursive: true, force: true })
for (const { text } of lines) process.stdout.write(`${text}\n`)
process.exitCode = status !== 0 || lines.length === 0 || lines.some(({ isGross }) => isGross) ? 1 : 0
