import { bugs } from "../../../test/corpus/bugs.ts"
import { installedBugs, packagesVariable } from "../../../test/corpus/installed-bugs.ts"
import { searchCase } from "../../../test/corpus/search-case.ts"
import { type Figure, type MeasureRow, sized } from "../../shared/row.ts"

const schedules = 10_000

const how =
  "The same worlds as above with the version, or the server, that does not have the bug, from seed 1, by the same strategy. " +
  "`npm run corpus -- --twins 10000` does the same and more."

/** Clients without the bug must pass, however long they are searched: an oracle that accuses them is wrong. */
export const measureFixedClients: MeasureRow = async (sizes) => {
  const all = [...bugs, ...(await installedBugs())].sort((one, other) => one.row - other.row)
  const figures: Array<Figure> = []
  const problems: Array<string> = []
  const asked = sizes.share < 1 ? all.slice(0, 1) : all
  const runs = sized(schedules, sizes)
  for (const bug of asked) {
    for (const one of bug.cases) {
      if (one.fails !== null) continue
      const { found } = await searchCase(bug, one, { seed: 1, runs })
      const what = `${bug.row} ${bug.name}, ${one.client}`
      figures.push({ what, value: found?.schedules ?? runs, unit: "schedules passed", bar: { atLeast: schedules } })
      if (found !== null) problems.push(`${what}: failed, ${found.message}`)
    }
  }
  const left = process.env[packagesVariable]
    ? []
    : ["Left out: bugs whose packages are installed on demand; `--packages` has them."]
  return { how: [how, ...left].join(" "), figures, problems }
}
