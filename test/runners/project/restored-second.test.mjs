import { simTest, withSim } from "llm-understudy/sim"
import { before, checkRestored } from "./built-ins.mjs"
import { test } from "./plain.mjs"

simTest("has virtual time", { runs: 2, corpus: false }, async (sim) => {
  await new Promise((resolve) => setTimeout(resolve, 60_000))
  if (sim.now() !== 60_000 || setTimeout === before.setTimeout) throw new Error("no virtual time")
})
test("afterwards everything is Node's again", checkRestored)
test("a run leaves nothing either, also one that fails", async () => {
  const failed = await withSim({}, () => Promise.reject(new Error("boom"))).catch((error) => error.message)
  if (failed !== "boom") throw new Error(failed)
  checkRestored()
})
