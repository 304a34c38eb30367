import { writeFileSync } from "node:fs"
import { afterAll, expect, test } from "vitest"
import { bugs } from "./bugs.ts"
import type { CorpusBug, CorpusCase } from "./corpus-bug.ts"
import { installedBugs } from "./installed-bugs.ts"
import { readMeasure } from "./measure-options.ts"
import { schedulesMax, searchCase } from "./search-case.ts"
import { type MeasuredCase, tableOf } from "./table.ts"

const { seeds, twinRuns, words, tablePath } = readMeasure(process.env)
const all = [...bugs, ...(await installedBugs())].sort((one, other) => one.row - other.row)
const asked = all.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
const measured: Array<MeasuredCase> = []
const timeoutMs = 3_600_000

for (const bug of asked) {
  for (const one of bug.cases) {
    test(
      `${bug.row} ${bug.name}, ${one.client}`,
      () => (one.fails === null ? passes(bug, one) : shows(bug, one, one.fails)),
      timeoutMs
    )
  }
}

afterAll(() => writeFileSync(tablePath, tableOf(measured)))

/** The bug is found from every seed. */
const shows = async (bug: CorpusBug, one: CorpusCase, fails: RegExp): Promise<void> => {
  const searches = []
  for (let seed = 1; seed <= seeds; seed++) searches.push(await searchCase(bug, one, { seed }))
  measured.push({ bug, one, searches })
  for (const { found } of searches) {
    expect(found?.message ?? `nothing in ${schedulesMax} schedules`).toMatch(fails)
    expect(found?.nonCalm).toBeLessThanOrEqual(3)
  }
}

/** Nothing is found, in many more schedules. */
const passes = async (bug: CorpusBug, one: CorpusCase): Promise<void> => {
  const search = await searchCase(bug, one, { seed: 1, runs: twinRuns })
  measured.push({ bug, one, searches: [search] })
  expect(search.found?.message).toBeUndefined()
}
