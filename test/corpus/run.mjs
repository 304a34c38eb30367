// @ts-check
/**
 * Searches all worlds of the corpus, also those whose packages are not installed here, and prints a table.
 *
 *     npm run corpus [-- [--seeds N] [--twins N] [--no-packages] [WORD...]]
 *
 * The last line is `N passed, N failed`. Exits 0 exactly when every bug was found and no fixed client failed, 2 for a bad
 * command line.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { installPackages } from "./install-packages.mjs"

const here = fileURLToPath(new URL(".", import.meta.url))
const root = join(here, "../..")

const usage = `Usage: npm run corpus [-- [--seeds N] [--twins N] [--no-packages] [WORD...]]

Looks for public bugs in the packages that had them, by the default strategy, and prints a table.

  --seeds N      from so many seeds each bug has to be found (3)
  --twins N      so many schedules each fixed client has to pass (200)
  --no-packages  without bugs whose packages have to be installed
  --help         show this help
  WORD           only bugs whose name holds one of the words

Packages are installed once into $XDG_CACHE_HOME/llm-understudy, by default ~/.cache/llm-understudy.
Exits 0 exactly when every bug was found and no fixed client failed, 2 for a bad command line.
`

const { values: options, positionals: words } = readArguments()
if (options.help) {
  process.stdout.write(usage)
  process.exit(0)
}

const reports = mkdtempSync(join(tmpdir(), "understudy-corpus-"))
const [table, report] = ["table.md", "report.json"].map((name) => join(reports, name))
const { status } = spawnSync(
  process.execPath,
  [
    join(root, "node_modules/vitest/vitest.mjs"),
    ...["run", "--config", join(here, "vitest.config.ts"), "--reporter=verbose", "--reporter=json"],
    `--outputFile.json=${report}`
  ],
  {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...process.env,
      UNDERSTUDY_CORPUS_PACKAGES: options["no-packages"] ? "" : installPackages(),
      UNDERSTUDY_CORPUS_SEEDS: options.seeds,
      UNDERSTUDY_CORPUS_TWINS: options.twins,
      UNDERSTUDY_CORPUS_WORDS: words.join(" "),
      UNDERSTUDY_CORPUS_TABLE: table
    }
  }
)
process.stdout.write(`\n${read(table)}\n`)
const { numPassedTests = 0, numFailedTests = 0 } = JSON.parse(read(report) || "{}")
const failed = status !== 0 && numFailedTests === 0 ? 1 : numFailedTests
process.stdout.write(`${numPassedTests} passed, ${failed} failed\n`)
rmSync(reports, { recursive: true, force: true })
process.exitCode = failed > 0 ? 1 : 0

/** @param {string | undefined} path */
function read(path) {
  return path !== undefined && existsSync(path) ? readFileSync(path, "utf8") : ""
}

function readArguments() {
  try {
    const parsed = parseArgs({
      allowPositionals: true,
      options: {
        seeds: { type: "string", default: "3" },
        twins: { type: "string", default: "200" },
        "no-packages": { type: "boolean", default: false },
        help: { type: "boolean", default: false }
      }
    })
    for (const name of /** @type {const} */ (["seeds", "twins"])) {
      if (!/^[1-9]\d*$/.test(parsed.values[name]))
        throw new Error(`--${name} is ${parsed.values[name]}; give a number from 1`)
    }
    return parsed
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
    process.exit(2)
  }
}
