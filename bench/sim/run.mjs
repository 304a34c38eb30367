// @ts-check
/**
 * Bundles the benchmark from the sources, as the package is bundled, and runs it: what is measured is internal, such as the
 * kernel, or has to be left out for a comparison. See `--help`.
 */
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { installPackages } from "../../test/corpus/install-packages.mjs"
import { bundle, runBundled } from "../shared/run-bundled.mjs"

const here = dirname(fileURLToPath(import.meta.url))

/** Parts of the package that a comparison leaves out. */
const trace = ["kernel/run-hash.ts", "kernel/step-log.ts"]
const fence = ["sim/run-loop.ts"]
const variants = { whole: [], "no-trace": trace, "no-fence": fence, neither: [...trace, ...fence] }

const env = process.argv.includes("--packages") ? { UNDERSTUDY_CORPUS_PACKAGES: installPackages() } : {}
await runBundled({ name: "bench-sim", bundleAll, env })

/** @param {string} outdir */
async function bundleAll(outdir) {
  await bundle({ entryPoints: [join(here, "main.ts"), join(here, "digest-entry.ts")], outdir })
  for (const [name, left] of Object.entries(variants)) {
    const entry = { in: join(here, "overhead-entry.ts"), out: `overhead-${name}` }
    await bundle({ entryPoints: [entry], outdir, plugins: left.map(without) })
  }
}

/**
 * Puts what does nothing, or less, in the place of a file of the package.
 *
 * @param {string} path
 * @returns {import("esbuild").Plugin}
 */
function without(path) {
  const name = path.slice(path.indexOf("/") + 1)
  return {
    name: `without ${path}`,
    setup({ onLoad }) {
      onLoad({ filter: new RegExp(`/src/${path.replaceAll(".", "\\.")}$`) }, () => ({
        contents: `export * from ${JSON.stringify(join(here, "without", name))}`,
        resolveDir: here,
        loader: "ts"
      }))
    }
  }
}
