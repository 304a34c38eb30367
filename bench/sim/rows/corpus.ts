import { bugs } from "../../../test/corpus/bugs.ts"
import type { CorpusBug, CorpusCase } from "../../../test/corpus/corpus-bug.ts"
import { installedBugs, packagesVariable } from "../../../test/corpus/installed-bugs.ts"
import { schedulesMax, searchCase } from "../../../test/corpus/search-case.ts"
import { summary } from "../../shared/measure/summary.ts"
import { type Figure, type MeasureRow, type Sizes, sized } from "../../shared/row.ts"

const seedsUsual = 3

const how =
  "The strategy that `explore` uses by default, from seeds 1, 2 and 3: the worst counts, for the choices left as well."

/** Public bugs, and how many schedules the default strategy needs to find each. */
export const measureCorpus: MeasureRow = async (sizes) => {
  const all = [...bugs, ...(await installedBugs())].sort((one, other) => one.row - other.row)
  const figures: Array<Figure> = []
  const problems: Array<string> = []
  const asked = sizes.share < 1 ? all.slice(0, 1) : all
  for (const bug of asked) {
    for (const one of bug.cases) {
      const { fails } = one
      if (fails === null) continue
      const measured = await measureCase({ bug, one, fails }, sizes)
      figures.push(measured.figure)
      problems.push(...measured.problems)
    }
  }
  return { how: [how, ...leftOut(process.env)].join(" "), figures, problems }
}

const measureCase = async (
  { bug, one, fails }: { readonly bug: CorpusBug; readonly one: CorpusCase; readonly fails: RegExp },
  sizes: Sizes
): Promise<{ readonly figure: Figure; readonly problems: ReadonlyArray<string> }> => {
  const schedules: Array<number> = []
  const nonCalm: Array<number> = []
  const problems: Array<string> = []
  for (let seed = 1; seed <= sized(seedsUsual, sizes); seed++) {
    const { found } = await searchCase(bug, one, { seed })
    schedules.push(found?.schedules ?? Number.POSITIVE_INFINITY)
    if (found === null) continue
    nonCalm.push(found.nonCalm)
    if (!fails.test(found.message)) problems.push(`${bug.name}, ${one.client}: found something else, ${found.message}`)
  }
  const { min, max } = summary(schedules)
  const figure: Figure = {
    what: `${bug.row} ${bug.name}, ${one.client}; shrunk to ${Math.max(0, ...nonCalm)} not calm`,
    value: max,
    min,
    max,
    unit: "schedules until found",
    bar: { atMost: schedulesMax }
  }
  return { figure, problems }
}

const leftOut = (env: Readonly<Record<string, string | undefined>>): ReadonlyArray<string> =>
  env[packagesVariable] ? [] : ["Left out: the bugs whose packages are installed on demand; `--packages` has them."]
