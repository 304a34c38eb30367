import { withSim } from "llm-understudy/sim"
import { test } from "./plain.mjs"

const kept = setImmediate

test("a timer that was kept from before is found out", async () => {
  const error = await withSim({}, async (sim) => {
    kept(() => {})
    await sim.sleep(5)
  }).catch((thrown) => thrown)
  if (error?._tag !== "EscapedFence" || !error.message.includes("llm-understudy/fence"))
    throw error ?? new Error("nothing")
})
