import type { Bench } from "../shared/bench.ts"
import { rows } from "./rows.ts"

/** What runs on real sockets, measured beside plain Node in the same run. */
export const liveBench: Bench = {
  command: "npm run bench",
  purpose: "Measures what runs on real sockets beside plain Node in the same run",
  wrong: "answers",
  quick: "tiny sizes: whether the answers are right, its figures say nothing",
  files: { json: "live.json", table: "RESULTS.md" },
  heading: "On real sockets, measured",
  reading: [
    "Figures are medians of the repetitions, smallest and largest beside them. A ratio is taken within each repetition, of two",
    "measurements that follow each other; each of the two is the first one equally often."
  ],
  packages: ["effect", "xstate", "esbuild"],
  sources: ["src", "machines", "bench/live", "bench/shared"],
  options: {
    ours: { takes: null, help: "peers are left out" },
    profile: { takes: "FOLDER", help: "a CPU profile of each process that is measured goes there" }
  },
  rows
}
