import { fileURLToPath } from "node:url"
import { runBench } from "../shared/run-bench.ts"
import { liveBench } from "./live-bench.ts"

await runBench(liveBench, { main: fileURLToPath(import.meta.url), repetitions: 9 })
