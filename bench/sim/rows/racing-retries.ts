import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { isRecord, member } from "../../../src/domain/json.ts"
import { type MeasureRow, sized } from "../../shared/row.ts"

const schedules = 10_000
const jsonBytesMax = 16 * 1024 * 1024
const run = promisify(execFile)

const how =
  "`SIM_RUNS=10000 npx vitest run test/examples/racing-retries`: the example of the README, with its laws, in a process of the test runner."

/** The worked example under many schedules: its invariants have to hold in all of them. */
export const measureRacingRetries: MeasureRow = async (sizes) => {
  const runs = sized(schedules, sizes, 10)
  const root = process.env["UNDERSTUDY_BENCH_ROOT"] ?? process.cwd()
  const args = [join(root, "node_modules/vitest/vitest.mjs"), "run", "test/examples/racing-retries", "--reporter=json"]
  const env = { ...process.env, SIM_RUNS: String(runs), SIM_SEED: "1", CI: "true" }
  const { stdout, stderr } = await run(process.execPath, args, { cwd: root, env, maxBuffer: jsonBytesMax }).catch(
    (error: unknown) => {
      if (error instanceof Error && isRecord(error) && typeof error["stdout"] === "string") {
        return { stdout: error["stdout"], stderr: String(error["stderr"]) }
      }
      throw error
    }
  )
  const report: unknown = JSON.parse(stdout.slice(stdout.indexOf("{")) || "{}")
  const passed = member(report, "numPassedTests") === 1 && member(report, "numFailedTests") === 0
  return {
    how,
    figures: [
      {
        what: "schedules without a broken law",
        value: passed ? runs : 0,
        unit: "schedules",
        bar: { atLeast: schedules }
      }
    ],
    problems: passed ? [] : [`the example failed: ${failureOf(report) ?? stderr}`]
  }
}

const failureOf = (report: unknown): string | null => {
  const files = member(report, "testResults")
  const messages = Array.isArray(files)
    ? files.flatMap((file: unknown) => {
        const tests = member(file, "assertionResults")
        return Array.isArray(tests) ? tests.flatMap((one: unknown) => member(one, "failureMessages") ?? []) : []
      })
    : []
  return messages.length === 0 ? null : messages.join("\n")
}
