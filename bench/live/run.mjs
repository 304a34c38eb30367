// @ts-check
/** Bundles the benchmark from the sources, as the package is bundled, builds the command, and runs it. See `--help`. */
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundle, runBundled } from "../shared/run-bundled.mjs"

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, "../..")

/** Programs that rows start as processes of their own. */
const programs = [
  "proxy/proxy-program",
  "proxy/sender-program",
  "proxy/receiver-program",
  "server/load-program",
  "server/bare-program",
  "growth/growing-program",
  "growth/reading-program"
]

await runBundled({
  name: "bench",
  async bundleAll(outdir) {
    await bundle({
      entryPoints: [
        { in: join(here, "main.ts"), out: "main" },
        ...programs.map((name) => ({ in: join(here, `${name}.ts`), out: basename(name) }))
      ],
      outdir
    })
    buildCommand(join(outdir, "command"))
  }
})

/**
 * The command as its users have it, in a folder of its own.
 *
 * @param {string} folder
 */
function buildCommand(folder) {
  mkdirSync(folder, { recursive: true })
  cpSync(join(root, "package.json"), join(folder, "package.json"))
  const args = [join(root, ".ci/build.mjs"), "--no-types", "--out", join(folder, "dist")]
  execFileSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] })
}
