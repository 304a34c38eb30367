import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { faultDefaults } from "../../src/domain/fault-options.ts"
import { catalogue } from "../../src/faults/catalogue/catalogue.ts"

const page = readFileSync(new URL("../../docs/faults.md", import.meta.url), "utf8")
const [everyFault = "", options = "", ...clients] = page.split(/^## /m).slice(1)

/** The cells of the rows of a table, without its head. */
const rowsOf = (section: string) =>
  section
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(2)
    .map((line) => line.slice(2, -2).split(" | "))

test("the page tells of every fault what the catalogue says", () => {
  expect(rowsOf(everyFault)).toEqual(
    catalogue.map(({ name, summary, uses, outcome }) => [
      `\`${name}\``,
      summary,
      uses.map((use) => `\`${use}\``).join(", "),
      outcome
    ])
  )
})

test("the page has every option with its default", () => {
  expect(rowsOf(options).map(([name, value]) => [name, value])).toEqual(
    Object.entries(faultDefaults).map(([name, value]) => [`\`${name}\``, value === null ? "none" : `\`${value}\``])
  )
})

test("the page has for every fault what the clients of each API make of it", () => {
  expect(clients).toHaveLength(3)
  for (const section of clients) {
    expect(rowsOf(section).map(([name]) => name)).toEqual(catalogue.map(({ name }) => `\`${name}\``))
    expect(rowsOf(section).flat()).not.toContain("")
  }
})
