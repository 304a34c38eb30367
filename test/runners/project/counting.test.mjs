import { simTest } from "llm-understudy/sim"
import { test } from "./plain.mjs"

let runs = 0

simTest("counts its runs", { runs: 50, corpus: false }, async () => {
  runs++
})

test("as many runs were made as SIM_RUNS says", () => {
  // Some runs are made twice, to see that they are the same.
  const asked = Number(process.env.SIM_RUNS)
  if (runs < asked || runs > 2 * asked) throw new Error(`${runs} runs`)
})
