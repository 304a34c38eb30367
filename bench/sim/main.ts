import { fileURLToPath } from "node:url"
import { runBench } from "../shared/run-bench.ts"
import { simBench } from "./sim-bench.ts"

await runBench(simBench, { main: fileURLToPath(import.meta.url), repetitions: 5 })
