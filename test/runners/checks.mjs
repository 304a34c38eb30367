// @ts-check
import assert from "node:assert/strict"
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"

/*
 * What holds under every test runner that simTest works with. Each runner is started as its users start it, in the packed
 * project, on the files of `fixtures/`.
 */

/**
 * @typedef {"passed" | "failed" | "skipped" | "todo"} TestStatus
 * @typedef {{ readonly name: string, readonly status: TestStatus, readonly message: string }} TestRun
 * @typedef {object} Runner
 * @property {string} folder the project
 * @property {boolean} copiesImports whether files have copies of what they import from Node's modules
 * @property {boolean} saysUntaken whether it can be said that no test of a file takes a token
 * @property {(files: ReadonlyArray<string>, options?: RunOptions) => { tests: ReadonlyArray<TestRun>, stderr: string }} run in
 *   one process
 *
 * @typedef {object} RunOptions
 * @property {Readonly<Record<string, string>>} [env]
 * @property {boolean} [only] only tests that are marked
 * @property {boolean} [early] where imports are copied: whether the fence is put up before
 * @property {boolean} [globals] whether Jest gives its globals
 */

/** @param {ReadonlyArray<TestRun>} tests */
const outcomes = (tests) => Object.fromEntries(tests.map(({ name, status }) => [name, status]))

/** @param {ReadonlyArray<TestRun>} tests */
const allPass = (tests) => {
  const failed = tests.filter(({ status }) => status !== "passed")
  assert.deepEqual(failed, [])
  assert.notEqual(tests.length, 0)
}

/** @param {ReadonlyArray<TestRun>} tests */
const failureOf = ([test]) => {
  assert.equal(test?.status, "failed")
  return test?.message ?? ""
}

/** @type {Readonly<Record<string, (runner: Runner) => void>>} */
export const checks = {
  "clients run in virtual time, tests are skipped or left for later, SIM_RUNS counts": ({ run }) => {
    const files = ["passing.test.mjs", "counting.test.mjs", "forms.test.mjs"]
    const {
      "is skipped": skipped,
      "is still to be written": todo,
      ...others
    } = outcomes(run(files, { env: { SIM_RUNS: "7" } }).tests)
    assert.deepEqual({ skipped, todo }, { skipped: "skipped", todo: "todo" })
    assert.deepEqual(others, {
      "an unmodified client tries again in virtual time": "passed",
      "years pass at once": "passed",
      "counts its runs": "passed",
      "as many runs were made as SIM_RUNS says": "passed",
      "is run": "passed"
    })
  },

  "a failure has a token and a diagram, is kept, and is tried first": ({ run, folder, saysUntaken }) => {
    rmSync(join(folder, "__sim__"), { recursive: true, force: true })
    const found = failureOf(run(["failing.test.mjs"]).tests)
    assert.match(found, /1 of 2 updates\nfound in run (?!1 )\d+ of seed 0; \d choices? (is|are) not calm:\s/)
    assert.match(found, /sequenceDiagram\n {2}participant/)
    const token = /SIM_REPLAY='(us1\.[^']+)'/.exec(found)?.[1] ?? ""
    const kept = JSON.parse(readFileSync(join(folder, "__sim__/failing.test.json"), "utf8"))
    assert.deepEqual(kept, { "no update is lost": [token] })

    assert.match(
      failureOf(run(["failing.test.mjs"]).tests),
      /1 of 2 updates\nfailed before, and fails again when it is tried first \(seed 0\); /
    )
    const replayed = failureOf(run(["failing.test.mjs"], { env: { SIM_REPLAY: token } }).tests)
    assert.match(replayed, /1 of 2 updates\n\d choices? (is|are) not calm/)
    assert.ok(replayed.includes(`SIM_REPLAY='${token}'`))
    const both = run(["failing.test.mjs", "forms.test.mjs"], { env: { SIM_REPLAY: token } }).tests
    const { "no update is lost": own, "is run": other } = outcomes(both)
    assert.deepEqual({ own, other }, { own: "failed", other: "skipped" })

    // Seen to fail with nothing said, every test being skipped and the runner content; and with a line for each file.
    const none = run(["forms.test.mjs", "only.test.mjs"], { env: { SIM_REPLAY: token } })
    assert.equal(none.tests.filter(({ status }) => status === "passed" || status === "failed").length, 0)
    const said = none.stderr.match(/SIM_REPLAY: no test takes the token: none of the simulated tests in /g) ?? []
    assert.equal(said.length, saysUntaken ? 1 : 0)
    assert.doesNotMatch(run(["failing.test.mjs"], { env: { SIM_REPLAY: token } }).stderr, /no test takes the token/)
  },

  "a module is searched by several workers, and what failed is kept beside it and tried first": ({ run, folder }) => {
    const file = "module.test.mjs"
    rmSync(join(folder, "__sim__"), { recursive: true, force: true })
    const both = run([file]).tests
    assert.deepEqual(outcomes(both), { "two workers find what one finds": "passed", "no update is lost": "failed" })
    const found = failureOf(both.filter(({ status }) => status === "failed"))
    assert.match(
      found,
      /an update is lost\n1 of 2 updates\nfound in run \d+ of seed 0; 1 choice is not calm: step \d+, .*: test\/\w+ was/
    )
    assert.match(found, /the program "no update is lost" of updates\.mjs\n[\s\S]*sequenceDiagram\n {2}participant/)
    const token = /SIM_REPLAY='(us1\.[^']+)'/.exec(found)?.[1] ?? ""
    const kept = JSON.parse(readFileSync(join(folder, "__sim__/updates.json"), "utf8"))
    assert.deepEqual(kept, { "no update is lost": [token] })

    const again = run([file]).tests.find(({ status }) => status === "failed")?.message ?? ""
    assert.match(again, /1 of 2 updates\nfailed before, and fails again when it is tried first \(seed 0\); /)
    const replayed = outcomes(run([file], { env: { SIM_REPLAY: token } }).tests)
    assert.equal(replayed["no update is lost"], "failed")
  },

  "tests can be run alone": ({ run }) => {
    const { "is left out": left = "skipped", ...rest } = outcomes(run(["only.test.mjs"], { only: true }).tests)
    assert.deepEqual({ left, ...rest }, { left: "skipped", "is run alone": "passed" })
  },

  "everything is Node's again after each test, also for the next file": ({ run, copiesImports }) => {
    const { tests, stderr } = run(["restored-first.test.mjs", "restored-second.test.mjs"], { early: false })
    allPass(tests)
    assert.equal(tests.length, 6)
    // Where named imports stay Node's own a warning says so, once.
    const warnings = stderr.match(/NODE_OPTIONS="--import llm-understudy\/fence"/g) ?? []
    assert.equal(warnings.length, copiesImports ? 1 : 0)
  },

  "fake timers are refused, and kept ones found out": ({ run }) => {
    const { tests } = run(["kept.test.mjs", "fake-timers.test.mjs"], { early: false })
    assert.deepEqual(outcomes(tests), {
      "a timer that was kept from before is found out": "passed",
      "turns fake timers on": "passed",
      "is refused": "failed",
      "turns them off": "passed",
      "is run": "passed"
    })
    const { message = "" } = tests.find(({ name }) => name === "is refused") ?? {}
    assert.match(
      message,
      /setTimeout is replaced by .*vi\.useRealTimers\(\), jest\.useRealTimers\(\) or mock\.timers\.reset/
    )
  },

  "the fence holds": ({ run }) => allPass(run(["fence.test.mjs"]).tests)
}
