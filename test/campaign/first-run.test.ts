import { join } from "node:path"
import { expect, it } from "vitest"
import type { SimProgram } from "../../src/campaign/campaign.ts"
import { CampaignTimedOut, explore, fuzz } from "../../src/sim.ts"
import { finish } from "../cli/fake-io.ts"
import { programs } from "../cli/program-fixtures.ts"
import { failureOf, inFolder, run } from "./sim-tests.ts"

// Seen to fail with campaigns of no run, which passed whatever their program did.

const broken: SimProgram = () => {
  throw new Error("the bug")
}

const noTime = [{ budgetMs: 0 }, { isOver: () => true }, { budgetMs: 0, isOver: () => true }]

it.each(noTime)("a campaign without time makes one run: %o", async (options) => {
  let runs = 0

  expect((await explore(options, () => void runs++)).stats.runs).toBe(1)
  expect(runs).toBe(2)
  expect((await failureOf(explore(options, broken))).message).toContain("the bug\nfound in run 1 of")
  expect((await failureOf(run({ corpus: false, ...options }, {}, { body: broken }))).message).toContain("the bug\n")
})

it("so does a fuzzed client, and a simulated test whose time is over at once", async () => {
  await expect(fuzz(() => () => Promise.reject(new Error("no")), {}, { budgetMs: 0 })).rejects.toThrow(
    "found in run 1 of"
  )
  expect((await failureOf(run({ corpus: false, timeoutMs: 0 }, {}, { body: broken }))).message).toContain("the bug\n")
  await expect(run({ corpus: false, timeoutMs: 0 }, {}, { body: () => {} })).rejects.toThrow(CampaignTimedOut)
})

it.each([1, 2])("so does a module on the command line, with %d workers", async (workers) => {
  const trace = join(inFolder(), "hurried.trace.jsonl")
  const { code, out } = await finish("explore", programs("hurried.mjs"), "--out", trace, "--workers", `${workers}`)

  expect(code).toBe(1)
  expect(out).toContain("the bug")
})
