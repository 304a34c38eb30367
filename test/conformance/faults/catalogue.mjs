// @ts-check
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const root = resolve(fileURLToPath(new URL(".", import.meta.url)), "../../..")

/**
 * What the page says of a fault. `outcome` is what the server reports when the client stays to the end.
 *
 * @typedef {{
 *   readonly name: string
 *   readonly summary: string
 *   readonly uses: ReadonlyArray<string>
 *   readonly outcome: string
 * }} Fault
 */

/**
 * The faults as the sources describe them; the package does not export the descriptions.
 *
 * @returns {Promise<ReadonlyArray<Fault>>}
 */
export async function readCatalogue() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ["src/faults/catalogue/catalogue.ts"],
    bundle: true,
    format: "esm",
    logLevel: "warning",
    write: false
  })
  const text = outputFiles[0]?.text ?? ""
  const { catalogue } = await import(`data:text/javascript,${encodeURIComponent(text)}`)
  return catalogue
}
