import { after, before, test } from "node:test"
import { checks } from "../../runners/checks.mjs"
import { fillProject, jestRunner } from "../../runners/drivers.mjs"
import { packedProject } from "../../support/packed-project.mjs"
import { folderOf } from "../check.mjs"
import { writeName } from "../report.mjs"

/** Several processes of Jest, each of which loads the package and a client. */
const guardMs = 120_000

const titleOf = (check) => writeName({ family: "runners", client: "jest", check })

let project

before(() => {
  project = packedProject()
  fillProject(project)
})
after(() => project?.remove())

const runner = (options = {}) => {
  const { run, ...rest } = jestRunner(project.folder, folderOf("runners"))
  return { ...rest, run: (files, asked) => run(files, { ...options, ...asked }) }
}

for (const [title, check] of Object.entries(checks)) {
  test(titleOf(title), { timeout: guardMs }, () => check(runner()))
}

test(titleOf("the same without globals"), { timeout: guardMs }, () => {
  const [first = () => {}] = Object.values(checks)
  first(runner({ globals: false }))
})
