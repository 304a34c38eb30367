// @ts-check
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..")

/**
 * Bundles a benchmark, as the package is bundled, and runs its `main.js` with the arguments of this process. With
 * `--bundle FOLDER` the bundles are kept there.
 *
 * @param {{ name: string, bundleAll: (outdir: string) => Promise<void>, env?: NodeJS.ProcessEnv }} bench
 */
export async function runBundled({ name, bundleAll, env = {} }) {
  const args = process.argv.slice(2)
  const kept = args.includes("--bundle") ? args[args.indexOf("--bundle") + 1] : undefined
  const folder = kept === undefined ? scratch(name) : resolve(kept)
  try {
    await bundleAll(folder)
    const { status } = spawnSync(process.execPath, [join(folder, "main.js"), ...args], {
      cwd: root,
      env: { ...process.env, ...env, UNDERSTUDY_BENCH_ROOT: root },
      stdio: "inherit"
    })
    process.exitCode = status ?? 1
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Inside the project, so that the bundles find its packages.
 *
 * @param {string} name
 */
function scratch(name) {
  const cache = join(root, ".cache")
  mkdirSync(cache, { recursive: true })
  return mkdtempSync(join(cache, `${name}-`))
}

/**
 * Nothing is minified.
 *
 * @param {import("esbuild").BuildOptions} options
 */
export async function bundle(options) {
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
