// @ts-check
/** Bundles the benchmark from the sources, as the package is bundled, and runs it. See `--help`. */
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundle, runBundled } from "../shared/run-bundled.mjs"

const here = dirname(fileURLToPath(import.meta.url))

/** Programs that rows start as processes of their own. */
const programs = ["proxy-program", "sender-program", "receiver-program"]

await runBundled({
  name: "bench",
  bundleAll: (outdir) =>
    bundle({
      entryPoints: [
        { in: join(here, "main.ts"), out: "main" },
        ...programs.map((name) => ({ in: join(here, `proxy/${name}.ts`), out: name }))
      ],
      outdir
    })
})
