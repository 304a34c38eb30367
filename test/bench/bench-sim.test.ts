import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { readBenchOptions } from "../../bench/shared/bench-options.ts"
import type { MeasuredRow } from "../../bench/shared/report/table.ts"
import { rows } from "../../bench/sim/rows.ts"
import { simBench } from "../../bench/sim/sim-bench.ts"

/*
 * The benchmark as it is run, on tiny sizes: what is right about it, and nothing about speed. Seen to fail when a run notes the
 * number of its process (two digests), when the bundle without a fence draws `Math.random` under another label (other hashes than
 * with the fence), and when a walk of a chart is told the wrong state (table and xstate disagree).
 */

const root = fileURLToPath(new URL("../..", import.meta.url))
const run = (...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, ["bench/sim/run.mjs", ...args], { cwd: root, encoding: "utf8" })

const minutes = 60_000

describe("npm run bench:sim", () => {
  let out = ""
  let result: ReturnType<typeof run>
  let kept: ReadonlyArray<MeasuredRow>

  beforeAll(() => {
    out = mkdtempSync(join(tmpdir(), "understudy-bench-"))
    result = run("--quick", "--out", out, "--node", process.execPath)
    kept = JSON.parse(readFileSync(join(out, "results/sim.json"), "utf8"))
  }, 20 * minutes)

  afterAll(() => rmSync(out, { recursive: true, force: true }))

  test("finds the right answers in every row, and exits with 0 whether bars are met or not", () => {
    expect(kept.flatMap(({ id, result }) => result.problems.map((problem) => `${id}: ${problem}`))).toEqual([])
    expect(kept.map(({ id }) => id)).toEqual(Object.keys(rows))
    for (const { id, result } of kept) expect(result.figures.length, id).toBeGreaterThan(0)
    expect(result.status).toBe(0)
  })

  test("says one hash of the runs of a seed, wherever they are made", () => {
    const figures = kept.find(({ id }) => id === "same-seed")?.result.figures ?? []

    expect(figures.map(({ value }) => value)).toEqual(figures.map(() => 1))
    expect(figures.filter(({ what }) => what.includes("by Node"))).toHaveLength(2)
  })

  test("prints the table that it keeps", () => {
    expect(result.stdout).toBe(readFileSync(join(out, "RESULTS-sim.md"), "utf8"))
    for (const { title } of Object.values(rows)) expect(result.stdout).toContain(`| **${title}** |`)
  })

  test("refuses a row that there is not, and names those that there are", () => {
    expect(readBenchOptions(simBench, ["--only", "speed"])).toMatchObject({
      exitCode: 2,
      text: expect.stringContaining(`--only speed: there is no such row; there are ${Object.keys(rows).join(", ")}`)
    })
  })
})
