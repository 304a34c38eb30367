import { afterAll, beforeAll, describe, test } from "vitest"
import { packedProject } from "../support/packed-project.mjs"
import { checks } from "./checks.mjs"
import { fillProject, nodeRunner, vitestRunner } from "./drivers.mjs"

/* The package under the test runners that are here; Jest brings 250 packages: `npm run conformance -- --runners`. */

let folder = ""
let remove = (): void => {}

beforeAll(() => {
  const project = packedProject()
  fillProject(project)
  project.link("vitest")
  folder = project.folder
  remove = project.remove
}, 120_000)

afterAll(() => remove())

const runners = [
  ["node --test", () => nodeRunner(folder)],
  ["Vitest, forks", () => vitestRunner(folder, "forks")],
  ["Vitest, threads", () => vitestRunner(folder, "threads")],
  ["Vitest, vmForks", () => vitestRunner(folder, "vmForks")],
  ["Vitest, vmThreads", () => vitestRunner(folder, "vmThreads")]
] as const

describe.each(runners)("%s", (_, runner) => {
  for (const [title, check] of Object.entries(checks)) test(title, () => check(runner()), 120_000)
})
