// @ts-check
/** Bundles the soak from the sources and runs it. See `--help`. */
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundle, runBundled } from "../shared/run-bundled.mjs"

const here = dirname(fileURLToPath(import.meta.url))

await runBundled({
  name: "soak",
  bundleAll: (outdir) =>
    bundle({
      entryPoints: ["main", "soak-server", "soak-clients"].map((name) => ({ in: join(here, `${name}.ts`), out: name })),
      outdir
    })
})
