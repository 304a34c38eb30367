// @ts-check
/**
 * Sends real clients at the server: installs them into a cache folder outside the project, builds the package, runs the
 * checks, prints a table of client and check.
 *
 *     npm run conformance [-- [--versions] [--agents] [--faults] [--runners] [--no-build] [WORD...]]
 *
 * `--versions` adds older and newer versions of the official SDKs, `--agents` adds coding agents, `--faults` adds what the
 * SDKs make of every fault, `--runners` adds simulated tests under Jest. With words only the files whose name holds one of them are run
 * (`npm run conformance -- --agents grok`). `--no-build` takes `dist/` as it is.
 *
 * The last line is `N passed, N failed`. Exits 0 exactly when nothing failed.
 */
import { spawnSync } from "node:child_process"
import { availableParallelism } from "node:os"
import { join, resolve } from "node:path"
import { run } from "node:test"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { checkFiles } from "./check-files.mjs"
import { comparison, readComparison } from "./faults/comparison.mjs"
import { install } from "./install.mjs"
import { failureText, readName, tables } from "./report.mjs"

const here = fileURLToPath(new URL(".", import.meta.url))
const root = resolve(here, "../..")

const usage = `Usage: npm run conformance [-- [--versions] [--agents] [--faults] [--runners] [--no-build] [WORD...]]

Sends real clients at the server and prints a table of client and check.

  --versions  also older and newer versions of the official SDKs
  --agents    also coding agents
  --faults    also what the SDKs make of each fault, and whether docs/faults.md says so
  --runners   also simulated tests under Jest
  --no-build  take dist/ as it is
  --help      show this help
  WORD        run only the files whose name holds one of the words

Clients are installed once into $XDG_CACHE_HOME/llm-understudy, by default ~/.cache/llm-understudy.
Exits 0 exactly when nothing failed, 2 for a bad command line.
`

const { values: options, positionals: words } = readArguments()
if (options.help) {
  process.stdout.write(usage)
  process.exit(0)
}

/** Some clients put the whole answer in front of their message. */
const causeTextMax = 500

/** @type {Array<import("./report.mjs").Result>} */
const results = []
/** @type {Array<import("./faults/comparison.mjs").Cell>} */
const cells = []
try {
  prepare()
  await runChecks()
} catch (error) {
  results.push({
    name: { family: "setup", client: "all", check: "the checks can start" },
    failure: error instanceof Error ? error.message : String(error)
  })
}

const failures = results.filter(({ failure }) => failure !== null)
process.stdout.write(`${tables(results)}\n`)
if (cells.length > 0) process.stdout.write(`${comparison(cells)}\n`)
for (const result of failures) process.stdout.write(`${failureText(result)}\n`)
process.stdout.write(`${results.length - failures.length} passed, ${failures.length} failed\n`)
process.exitCode = failures.length > 0 ? 1 : 0

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        versions: { type: "boolean", default: false },
        agents: { type: "boolean", default: false },
        faults: { type: "boolean", default: false },
        runners: { type: "boolean", default: false },
        "no-build": { type: "boolean", default: false },
        help: { type: "boolean", default: false }
      }
    })
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
    process.exit(2)
  }
}

function prepare() {
  if (!options["no-build"]) build()
  const folders = {
    sdks: install("sdks"),
    ...(options.versions ? { versions: install("versions") } : {}),
    ...(options.agents ? { agents: install("agents") } : {}),
    ...(options.runners ? { runners: install("runners") } : {})
  }
  process.env["UNDERSTUDY_CONFORMANCE"] = JSON.stringify(folders)
  // What a developer has set for real providers must not reach the clients under test.
  for (const name of Object.keys(process.env)) {
    if (/^(openai|anthropic|mistral|xai|deepseek|ai_gateway|(https?|all|no)_proxy$)/i.test(name)) {
      delete process.env[name]
    }
  }
}

function build() {
  const built = spawnSync(process.execPath, [join(root, ".ci/build.mjs"), "--no-types"], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8"
  })
  if (built.status !== 0) throw new Error(`the package could not be built:\n${built.stderr}`)
}

async function runChecks() {
  const files = checkFiles(here, { ...options, words })
  if (files.length === 0) throw new Error(`no file of checks has a name with ${words.join(" or ")}`)
  const isOfAgents = (/** @type {string} */ file) => file.startsWith(join(here, "agents"))
  // A process that is made to exit may lose the last of its results; only agents leave something behind that needs it.
  await runFiles(
    files.filter((file) => !isOfAgents(file)),
    { forceExit: false }
  )
  await runFiles(files.filter(isOfAgents), { forceExit: true })
}

/**
 * @param {ReadonlyArray<string>} files
 * @param {{ readonly forceExit: boolean }} options
 */
async function runFiles(files, { forceExit }) {
  if (files.length === 0) return
  const events = run({ files, concurrency: Math.max(2, availableParallelism() - 1), forceExit })
  for await (const { type, data } of events) {
    if (type === "test:pass") results.push({ name: readName(data.name), failure: null })
    if (type === "test:fail") results.push({ name: readName(data.name), failure: describe(data.details.error) })
    if (type === "test:diagnostic") cells.push(...[readComparison(data.message) ?? []].flat())
    if (type === "test:stderr" || type === "test:stdout") process.stderr.write(data.message)
  }
}

/**
 * The error of a test, with where it was thrown and what had caused it.
 *
 * @param {Error & { cause?: unknown }} error
 */
function describe(error) {
  const [first = error, ...causes] = causesOf(error.cause instanceof Error ? error.cause : error)
  const because = causes
    .filter(({ message }) => message !== "")
    .map(({ message }) => `because: ${message.slice(-causeTextMax)}`)
  return [first.stack ?? first.message, ...because].join("\n")
}

/**
 * @param {unknown} error
 * @returns {Array<Error>}
 */
function causesOf(error) {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}
