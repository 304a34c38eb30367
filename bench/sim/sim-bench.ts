import type { Bench } from "../shared/bench.ts"
import { rows } from "./rows.ts"

/** Simulation, measured against the bars that the project has set itself. */
export const simBench: Bench = {
  command: "npm run bench:sim",
  purpose: "Measures simulation against the bars that the project sets itself",
  wrong: "hashes or answers",
  quick: "tiny sizes: whether the answers are right, its rates say nothing",
  files: { json: "sim.json", table: "RESULTS-sim.md" },
  heading: "Simulation, measured",
  reading: [
    "Rates are per CPU-second of the process, user and system, garbage collection and compilation in other threads included: the",
    "median of the repetitions, smallest and largest beside it. `× ref` is the same divided by the rate of a fixed loop of plain",
    "JavaScript that runs just before and after, in rounds per CPU-second: it tells a slow machine from slow code."
  ],
  packages: ["openai", "@anthropic-ai/sdk", "undici", "effect", "xstate", "fast-check", "esbuild"],
  sources: ["src", "machines", "bench/sim", "bench/shared", "test"],
  options: {
    node: { takes: "PATH", help: "another Node, which has to give the same hashes (row same-seed)" },
    packages: {
      takes: null,
      help: "also bugs whose packages are installed on demand (rows corpus, corpus-fixed); installs them once"
    }
  },
  rows
}
