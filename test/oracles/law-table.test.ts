import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { readyOracles } from "../../src/oracles/ready-oracles.ts"

// Seen to fail for `arrival-barrier` and `resume`.
test("the documentation names every law that is ready", () => {
  const pages = readFileSync(new URL("../../docs/simulation.md", import.meta.url), "utf8")
  const rows = pages.split("\n").filter((line) => line.startsWith("| `"))
  const laws = readyOracles({ retries: { retriesMax: 2 } }).map(({ name }) => name)

  expect(laws.filter((law) => !rows.some((row) => (row.split("|")[1] ?? "").includes(`\`${law}\``)))).toEqual([])
})
