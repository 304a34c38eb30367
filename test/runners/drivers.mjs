// @ts-check
import { spawnSync } from "node:child_process"
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/**
 * @import { Runner, RunOptions, TestRun, TestStatus } from "./checks.mjs"
 * @import { PackedProject } from "../support/packed-project.mjs"
 */

/**
 * Puts the files of `fixtures/` into a packed project.
 *
 * @param {PackedProject} project
 */
export function fillProject({ folder, link }) {
  cpSync(fileURLToPath(new URL("fixtures", import.meta.url)), folder, { recursive: true })
  link("openai")
}

/**
 * `node --test`; several files as one, so that one process runs them.
 *
 * @param {string} folder
 * @returns {Runner}
 */
export const nodeRunner = (folder) => ({
  folder,
  copiesImports: false,
  saysUntaken: true,
  run(files, options) {
    writeFileSync(join(folder, "all.mjs"), files.map((file) => `await import("./${file}")\n`).join(""))
    // A name of its own for what is kept beside the test: a single file is run as it is.
    const [single = ""] = files
    const entry = files.length === 1 ? single : "all.mjs"
    const args = ["--test", "--test-reporter=./json-reporter.mjs", ...(options?.only === true ? ["--test-only"] : [])]
    const { stdout, stderr } = start(folder, [...args, entry], options)
    return { tests: read(stdout, stderr), stderr }
  }
})

/**
 * @param {string} folder
 * @param {"forks" | "threads" | "vmForks" | "vmThreads"} pool
 * @returns {Runner}
 */
export function vitestRunner(folder, pool) {
  const hasContexts = pool.startsWith("vm")
  return {
    folder,
    copiesImports: hasContexts,
    saysUntaken: true,
    run(files, options) {
      const args = ["node_modules/vitest/vitest.mjs", "run", "--pool", pool, "--maxWorkers=1", "--no-file-parallelism"]
      const report = join(folder, "report.json")
      const isolation = hasContexts ? [] : ["--no-isolate"]
      const { stderr } = start(
        folder,
        [...args, ...isolation, "--reporter=json", `--outputFile=${report}`, ...files],
        options,
        hasContexts
      )
      return { tests: readReport(report, stderr), stderr }
    }
  }
}

/**
 * @param {string} folder
 * @param {string} jest where it is installed
 * @returns {Runner}
 */
export const jestRunner = (folder, jest) => ({
  folder,
  copiesImports: true,
  // Its tests have a process of their own, which hears of no end, and cannot skip themselves.
  saysUntaken: false,
  run(files, options) {
    const config = { testMatch: ["**/*.test.mjs"], transform: {}, injectGlobals: options?.globals ?? true }
    const report = join(folder, "report.json")
    const { stderr } = start(
      folder,
      [
        ...["--experimental-vm-modules", join(jest, "node_modules/jest/bin/jest.js"), "--runInBand", "--json"],
        ...[`--outputFile=${report}`, "--config", JSON.stringify(config), "--runTestsByPath", ...files]
      ],
      options,
      true
    )
    return { tests: readReport(report, stderr), stderr }
  }
})

/** What tells a program of the runner that started this one. */
const ofOthers = /^(VITEST|JEST|NODE_TEST|NODE_OPTIONS|NODE_V8_COVERAGE|CI$|SIM_|TEST$)/

/**
 * @param {string} folder
 * @param {ReadonlyArray<string>} args
 * @param {RunOptions} [options]
 * @param {boolean} [putsFenceUpBefore]
 */
function start(folder, args, { env = {}, early = true } = {}, putsFenceUpBefore = false) {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofOthers.test(name)))
  const before = putsFenceUpBefore && early ? { NODE_OPTIONS: "--import llm-understudy/fence" } : {}
  return spawnSync(process.execPath, args, {
    cwd: folder,
    env: { ...inherited, ...before, ...env },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"]
  })
}

/**
 * @param {string} text
 * @param {string} stderr
 * @returns {ReadonlyArray<TestRun>}
 */
function read(text, stderr) {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`the runner gave no report:\n${text}${stderr}`)
  }
}

/** Vitest writes reports of the form that Jest has. @type {Readonly<Record<string, TestStatus>>} */
const statuses = { passed: "passed", failed: "failed", pending: "skipped", skipped: "skipped", todo: "todo" }

/**
 * @param {string} path
 * @param {string} stderr
 * @returns {ReadonlyArray<TestRun>}
 */
function readReport(path, stderr) {
  /** @type {{ testResults: ReadonlyArray<{ message: string, assertionResults: ReadonlyArray<{ title: string, status: string, failureMessages: ReadonlyArray<string> }> }> }} */
  const { testResults } = JSON.parse(readFileSync(path, "utf8"))
  return testResults.flatMap(({ message, assertionResults }) => {
    if (assertionResults.length === 0) throw new Error(`a file could not be run:\n${message}${stderr}`)
    return assertionResults.map(({ title, status, failureMessages }) => ({
      name: title,
      status: statuses[status] ?? "failed",
      message: failureMessages.join("\n")
    }))
  })
}
