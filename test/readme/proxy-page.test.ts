import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { controlCommandNames, controlCommands, controlUsage } from "../../src/proxy/control/control-commands.ts"
import { everyFrame } from "../../src/proxy/plan/fault-program.ts"
import { httpDecisions, httpFrames } from "../../src/proxy/plan/http-table.ts"
import { readPlan } from "../../src/proxy/plan/read-plan.ts"
import { planDecisions, ruleTable, stages } from "../../src/proxy/plan/rule-table.ts"

const page = readFileSync(new URL("../../docs/proxy.md", import.meta.url), "utf8")
const folder = new URL("proxy/", import.meta.url)

/** The rows of the table that begins with this cell, without its head. */
const rowsUnder = (head: string): ReadonlyArray<ReadonlyArray<string>> => {
  const lines = page.slice(page.indexOf(`| ${head} |`)).split("\n")
  const end = lines.findIndex((line) => !line.startsWith("| "))
  return lines.slice(2, end).map((line) => line.slice(2, -2).split(" | "))
}

test("the page has every example, as it runs", () => {
  const names = readdirSync(folder)
  for (const name of names) expect(page).toContain(`\`\`\`ts\n${readFileSync(new URL(name, folder), "utf8")}\`\`\`\n`)

  expect(page.match(/^```ts$/gm)).toHaveLength(names.length)
})

test("the page tells of every action what the table of rules says", () => {
  expect(rowsUnder("action")).toEqual(
    Object.entries(ruleTable).map(([name, { stage, effect, several }]) => [`\`${name}\``, stage, effect, several])
  )
  expect(page).toContain(`the order of the rules: ${stages.join(", ")}.`)
})

test("the page tells of every kind of frame of HTTP", () => {
  expect(rowsUnder("kind")).toEqual(
    Object.entries(httpFrames).map(([name, { frame, content }]) => [`\`${name}\``, frame, content])
  )
})

test("the page says what else was decided", () => {
  for (const text of [...Object.values(planDecisions), ...Object.values(httpDecisions)])
    expect(page).toContain(`\n* ${text.charAt(0).toUpperCase()}${text.slice(1)}.\n`)
})

test("the page tells of every way to match", () => {
  expect(rowsUnder("match").map(([name]) => name)).toEqual(Object.keys(everyFrame).map((name) => `\`${name}\``))
})

test("the plans of the page can be read", () => {
  const plans = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => JSON.parse(text))

  expect(plans.map((plan) => readPlan(plan).rules.length)).toEqual([4, 3])
})

test("the page tells of every command of the control socket", () => {
  expect(rowsUnder("command")).toEqual(
    controlCommandNames.map((name) => [`\`${controlUsage(name)}\``, controlCommands[name].help])
  )
})
