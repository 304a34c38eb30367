import { simTest } from "llm-understudy/sim"

simTest("is left out", { runs: 2 }, async () => {
  throw new Error("this must not run")
})
simTest.only("is run alone", { runs: 2 }, async () => {})
