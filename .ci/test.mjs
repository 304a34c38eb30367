// @ts-check
/**
 * All checks of the package, one after the other, none left out because an earlier one failed: bundles, lint, types,
 * tests and properties. Arguments go to vitest (`npm test -- test/domain`).
 *
 * The last line is `N passed, N failed`, with `, N skipped` if there are any: the tests as vitest's own report counts
 * them, and each other stage that failed as one failure. Exits 0 exactly when nothing failed.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..")

/**
 * A red run is never luck: the seed is fixed unless one is asked for, and every run of a simulated test is made twice, so that what
 * is not the same each time fails here.
 */
const env = { SIM_CHECK: "1", ...process.env }

// The commands under test are the bundles; declarations are the business of the type stage.
const stages = [
  { name: "build", script: ".ci/build.mjs", args: ["--no-types"] },
  { name: "lint", script: "node_modules/@biomejs/biome/bin/biome", args: ["check"] },
  { name: "types", script: "node_modules/typescript/bin/tsc", args: ["-p", "tsconfig.test.json"] }
]

/** @type {Array<string>} */
const failedStages = []
for (const { name, script, args } of stages) {
  process.stdout.write(`\n# ${name}\n`)
  if (run(script, args) !== 0) failedStages.push(name)
}

process.stdout.write("\n# tests\n")
const reports = mkdtempSync(join(tmpdir(), "understudy-test-"))
const report = join(reports, "report.json")
const status = run("node_modules/vitest/vitest.mjs", [
  "run",
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${report}`,
  ...process.argv.slice(2)
])
const tests = count(report)
rmSync(reports, { recursive: true, force: true })

// An error outside every test leaves all tests green; only the exit code tells.
if (status !== 0 && tests.failed === 0) failedStages.push("tests (an error outside every test)")

// Behind the tests, which would take its time away, and not for a few of them.
if (process.argv.length === 2) {
  process.stdout.write("\n# bench\n")
  if (run("bench/live/guard.mjs", []) !== 0) failedStages.push("bench")
}

if (failedStages.length > 0) process.stdout.write(`\nfailed besides tests: ${failedStages.join(", ")}\n`)
const failed = tests.failed + failedStages.length
const skipped = tests.skipped > 0 ? `, ${tests.skipped} skipped` : ""
process.stdout.write(`\n${tests.passed} passed, ${failed} failed${skipped}\n`)
process.exitCode = failed > 0 ? 1 : 0

/**
 * @param {string} script
 * @param {ReadonlyArray<string>} args
 */
function run(script, args) {
  const result = spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, env, stdio: "inherit" })
  return result.status ?? 1
}

/**
 * A file that cannot be loaded has no tests in the report and counts as one failure.
 *
 * @param {string} path
 */
function count(path) {
  if (!existsSync(path)) return { passed: 0, failed: 0, skipped: 0 }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
    readFileSync(path, "utf8")
  )
  const unloaded = testResults.filter(
    (/** @type {{ status: string, assertionResults: Array<{ status: string }> }} */ file) =>
      file.status === "failed" && file.assertionResults.every(({ status }) => status !== "failed")
  )
  return {
    passed: numPassedTests,
    failed: numFailedTests + unloaded.length,
    skipped: numPendingTests + numTodoTests
  }
}
