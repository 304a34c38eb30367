// @ts-check
/**
 * Bundles the benchmark from the sources, as the package is bundled, and runs it: what is measured is internal, such as the
 * kernel, or has to be left out for a comparison. Nothing is minified. See `--help`.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { installPackages } from "../../test/corpus/install-packages.mjs"

const here = dirname(fileURLToPath(import.meta.url))
const root = resolve(here, "../..")
const args = process.argv.slice(2)

/** Parts of the package that a comparison leaves out. */
const trace = ["kernel/run-hash.ts", "kernel/step-log.ts"]
const fence = ["sim/run-loop.ts"]
const variants = { whole: [], "no-trace": trace, "no-fence": fence, neither: [...trace, ...fence] }

const kept = args.includes("--bundle") ? args[args.indexOf("--bundle") + 1] : undefined
const folder = kept === undefined ? scratch() : resolve(kept)
try {
  await bundleAll(folder)
  const packages = args.includes("--packages") ? { UNDERSTUDY_CORPUS_PACKAGES: installPackages() } : {}
  const env = { ...process.env, ...packages, UNDERSTUDY_BENCH_ROOT: root }
  const { status } = spawnSync(process.execPath, [join(folder, "main.js"), ...args], {
    cwd: root,
    env,
    stdio: "inherit"
  })
  process.exitCode = status ?? 1
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true })
}

/** Inside the project, so that the bundles find its packages. */
function scratch() {
  const cache = join(root, ".cache")
  mkdirSync(cache, { recursive: true })
  return mkdtempSync(join(cache, "bench-sim-"))
}

/** @param {string} outdir */
async function bundleAll(outdir) {
  await bundle({ entryPoints: [join(here, "main.ts"), join(here, "digest-entry.ts")], outdir })
  for (const [name, left] of Object.entries(variants)) {
    const entry = { in: join(here, "overhead-entry.ts"), out: `overhead-${name}` }
    await bundle({ entryPoints: [entry], outdir, plugins: left.map(without) })
  }
}

/** @param {import("esbuild").BuildOptions} options */
async function bundle(options) {
  await build({
    ...options,
    bundle: true,
    splitting: true,
    treeShaking: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    // Packages of users stay as they are installed; effect and xstate are part of our bundles, here as there.
    external: ["openai", "@anthropic-ai/sdk", "undici", "fast-check"],
    logLevel: "warning"
  })
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
