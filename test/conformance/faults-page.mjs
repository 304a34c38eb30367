// @ts-check
/**
 * Writes the tables of docs/faults.md by sending real clients at every fault of the package as it was built last.
 *
 *     node test/conformance/faults-page.mjs [--write]
 *
 * Without `--write` the tables are printed. `npm run conformance -- --faults` says whether the page is up to date.
 */
import { writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { install } from "./install.mjs"

const { values: options } = parseArgs({ options: { write: { type: "boolean", default: false } } })

process.env["UNDERSTUDY_CONFORMANCE"] = JSON.stringify({ sdks: install("sdks") })
const { makePage } = await import("./faults/make-page.mjs")
const { generatedText, pageUrl, readPage } = await import("./faults/page-text.mjs")

const text = generatedText(await makePage())
if (options.write) {
  const { before, after } = readPage()
  writeFileSync(pageUrl, `${before}\n\n${text}\n${after}`)
} else {
  process.stdout.write(text)
}
