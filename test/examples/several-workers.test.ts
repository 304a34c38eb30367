import { exploreModule } from "llm-understudy/sim"
import { expect, test } from "vitest"

test("two workers find the answer that comes too late", { timeout: 120_000 }, async ({ signal }) => {
  const searched = exploreModule(new URL("type-ahead.mjs", import.meta.url), { workers: 2, signal, corpus: false })

  await expect(searched).rejects.toThrow(/the box shows Echo: t\w?\nfound in run \d+ of seed 0; 1 choice is not calm/)
})
