import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { closedConnectionsMax, proxyEventsMax, recordingBytesMax } from "../../src/domain/proxy-limits.ts"
import { controlCommandNames, controlCommands, controlUsage } from "../../src/proxy/control/control-commands.ts"
import { controlClientsMax } from "../../src/proxy/control/proxy-control.ts"
import { everyFrame } from "../../src/proxy/plan/fault-program.ts"
import { httpDecisions, httpFrames } from "../../src/proxy/plan/http-table.ts"
import { releasedMax } from "../../src/proxy/plan/link-state.ts"
import { readPlan, readRule } from "../../src/proxy/plan/read-plan.ts"
import { planDecisions, ruleTable, stages } from "../../src/proxy/plan/rule-table.ts"
import { frameBodyBytesMax } from "../../src/wire/frames/length-prefixed.ts"

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
    Object.entries(ruleTable).map(([name, { stage, members, effect, several }]) => [
      `\`${name}\``,
      stage,
      members.map((member) => `\`${member}\``).join(", "),
      effect,
      several
    ])
  )
  expect(page).toContain(`the order of the rules: ${stages.join(", ")}.`)
})

/** What has to be said of actions. */
const needed: Readonly<Record<string, unknown>> = {
  keep: 1,
  value: 1,
  barrier: "go",
  ms: 1,
  bytes: { hex: "00" },
  chunkSizes: [1],
  bytesPerSecond: 1
}

test.each(Object.entries(ruleTable))(
  "what the page says is said with %s can be, and stands for itself",
  (type, row) => {
    const members = row.members.map((member) => member.split(" = "))
    const said = members.flatMap(([name = "", value]) =>
      value === undefined && name in needed ? [[name, needed[name]] as const] : []
    )
    const read = readRule({ action: { type, ...Object.fromEntries(said) } }, { id: "one" }).action

    expect(Object.keys(read)).toEqual(["type", ...members.map(([name]) => name)])
    for (const [name = "", value] of members)
      if (value !== undefined) expect(String(Reflect.get(read, name))).toBe(value)
  }
)

test("the page says how much is kept, as it is", () => {
  for (const [count, text] of [
    [closedConnectionsMax, "the last 1,000 that are closed"],
    [proxyEventsMax, "10,000 things that happened"],
    [releasedMax, "a proxy opens at\nmost 10,000"],
    [controlClientsMax, "There is room for 64 clients"],
    [recordingBytesMax / 1_048_576, "at most 64 MiB of them"],
    [frameBodyBytesMax / 1_048_576, "a body of at most 64 MiB passes"]
  ] as const) {
    expect(page).toContain(text)
    expect(text).toContain(count.toLocaleString("en"))
  }
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
