import { simTest } from "llm-understudy/sim"

const never = async () => {
  throw new Error("this must not run")
}

simTest.skip("is skipped", {}, never)
simTest.todo("is still to be written")
simTest("is run", { runs: 2 }, async () => {})
