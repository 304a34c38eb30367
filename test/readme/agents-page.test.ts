import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { harnessErrorTags } from "../../src/domain/harness-error.ts"
import { agentProfiles } from "../../src/harness.ts"

const page = readFileSync(new URL("../../docs/agents.md", import.meta.url), "utf8")

/** The cells of the rows of the table below a title, without its head. */
const rowsBelow = (title: string) =>
  (page.split(/^## /m).find((section) => section.startsWith(`${title}\n`)) ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(2)
    .map((line) => line.slice(2, -2).split(" | "))

test("the page tells of every profile how far it was tried", () => {
  expect(rowsBelow("Agents that are known")).toEqual(
    agentProfiles().map(({ id, acp, headless, mock, tried }) => [
      `\`${id}\``,
      acp === null ? "none" : tried.acp,
      headless === null ? "none" : tried.headless,
      tried.version || "any",
      mock.wire.join(", "),
      tried.note
    ])
  )
})

test("the page says of every error what it mostly means", () => {
  const rows = rowsBelow("Trouble")

  expect(rows.map(([tag]) => tag)).toEqual(harnessErrorTags.map((tag) => `\`${tag}\``))
  expect(rows.flat()).not.toContain("")
})
