// @ts-check
/**
 * Makes the tables of docs/faults.md by sending real clients at every fault of the package as it was built last.
 *
 *     node test/conformance/faults-page.mjs [--write | --check]
 *
 * Prints the tables; with `--write` puts them into the page; with `--check` prints those of their lines that the page does
 * not have, and exits 1 when there are any.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { install } from "./install.mjs"

const { values: options } = parseArgs({
  options: { write: { type: "boolean", default: false }, check: { type: "boolean", default: false } }
})

process.env["UNDERSTUDY_CONFORMANCE"] = JSON.stringify({ sdks: install("sdks") })
const { readCatalogue } = await import("./faults/catalogue.mjs")
const { runPage } = await import("./faults/page-runs.mjs")
const { pageUrl, readPage, writeTables } = await import("./faults/page-text.mjs")

const manifest = readFileSync(new URL("packages/sdks/package.json", import.meta.url), "utf8")
const faults = await readCatalogue()
const tables = writeTables(faults, await runPage(faults), JSON.parse(manifest).dependencies)

// Clients that were told to come back tomorrow would hold the process.
process.stdout.write(perform(), () => process.exit())

/** What is to be printed. */
function perform() {
  if (!options.write && !options.check) return tables
  const { before, generated, after } = readPage()
  if (options.write) writeFileSync(pageUrl, `${before}\n\n${tables}\n${after}`)
  if (options.write || generated === tables.trim()) return ""
  process.exitCode = 1
  const lines = new Set(generated.split("\n"))
  const missing = tables.split("\n").filter((line) => !lines.has(line))
  return missing.length === 0 ? "the page has lines that do not belong there\n" : `${missing.join("\n")}\n`
}
