import { simTest } from "llm-understudy/sim"

/** An update is lost when one comes while the other waits. The calm run is right, and so are most. */
simTest("no update is lost", { runs: 300 }, async (sim) => {
  let count = 0
  const work = async () => {
    const read = count
    await sim.sleep(10)
    count = read + 1
  }
  await Promise.all([work(), sim.sleep(100 - 5 * sim.choice.draw(20, "start")).then(work)])
  if (count !== 2) throw new Error(`${count} of 2 updates`)
})
