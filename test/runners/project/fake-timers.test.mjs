import { simTest } from "llm-understudy/sim"
import { fakeTimers, test } from "./plain.mjs"

let turnOff = () => {}

test("turns fake timers on", async () => {
  turnOff = await fakeTimers()
})
simTest("is refused", { runs: 2, corpus: false }, async () => {})
test("turns them off", () => {
  turnOff()
})
simTest("is run", { runs: 2, corpus: false }, async (sim) => {
  await sim.sleep(5)
})
