// @ts-check
import { readFileSync } from "node:fs"
import { faultDefaults } from "llm-understudy/faults"
import { pageCallers } from "./callers.mjs"

export const pageUrl = new URL("../../../docs/faults.md", import.meta.url)

const begin = "<!-- begin: written by node test/conformance/faults-page.mjs --write -->"
const end = "<!-- end -->"

const meanings = {
  successText: "text of good answers",
  partialText: "text of answers that break off",
  reasoningText: "reasoning of answers that have some",
  chunkSize: "characters of a piece of text",
  chunkDelayMs: "pause after each piece, where a fault has one",
  disconnectDelayMs: "silence before the connection is dropped",
  retryAfterMs: "wait that `retry-after` asks for, in whole seconds where the header knows no other",
  requestId: "sent as `x-request-id` with errors, in Messages as `request-id` too",
  toolName: "tool that is called",
  toolArguments: "JSON text of its arguments",
  resetMode: "`fin`: an orderly end that comes too early; `rst`: a reset",
  headDelayMs: "silence before the head",
  heartbeatMs: "pause between comments",
  contextWindow: "tokens that `usage_overflow` exceeds by one",
  cutAfterEvents: "events that `cut_at_event` sends",
  cutAfterBytes: "bytes of the body that `cut_at_byte` sends"
}

const apis = [
  { title: "Chat Completions", endpoint: "ChatCompletions" },
  { title: "Responses", endpoint: "Responses" },
  { title: "Messages", endpoint: "Messages" }
]

/**
 * What of the page is written by running clients.
 *
 * @param {ReadonlyArray<import("./catalogue.mjs").Fault>} faults
 * @param {ReadonlyMap<string, ReadonlyMap<string, string>>} cells by client, by fault
 * @param {Readonly<Record<string, string>>} versions of packages
 */
export function writeTables(faults, cells, versions) {
  const sections = [
    { title: "Every fault", text: faultsTable(faults) },
    { title: "Options", text: optionsTable() },
    ...apis.map(({ title, endpoint }) => ({
      title: `What clients of ${title} do`,
      text: clientsTable(
        faults,
        pageCallers.filter((caller) => caller.endpoint === endpoint),
        cells,
        versions
      )
    }))
  ]
  return sections.map(({ title, text }) => `## ${title}\n\n${text}`).join("\n")
}

/**
 * @param {ReadonlyArray<import("./catalogue.mjs").Fault>} faults
 * @param {ReadonlyArray<import("./observe.mjs").Caller>} callers
 * @param {ReadonlyMap<string, ReadonlyMap<string, string>>} cells
 * @param {Readonly<Record<string, string>>} versions
 */
const clientsTable = (faults, callers, cells, versions) =>
  table([
    ["fault", ...callers.map(({ call, package: id }) => `${id} ${versions[id]}<br>\`${call}\``)],
    ...faults.map(({ name }) => [`\`${name}\``, ...callers.map((caller) => cells.get(caller.name)?.get(name) ?? "")])
  ])

/** @param {ReadonlyArray<import("./catalogue.mjs").Fault>} faults */
const faultsTable = (faults) =>
  table([
    ["fault", "on the wire", "options", "outcome"],
    ...faults.map(({ name, summary, uses, outcome }) => [
      `\`${name}\``,
      summary,
      uses.map((use) => `\`${use}\``).join(", "),
      outcome
    ])
  ])

const optionsTable = () =>
  table([
    ["option", "default", "what it is"],
    ...Object.entries(meanings).map(([name, meaning]) => {
      const value = new Map(Object.entries(faultDefaults)).get(name)
      return [`\`${name}\``, value === null ? "none" : `\`${value}\``, meaning]
    })
  ])

/** @param {ReadonlyArray<ReadonlyArray<string>>} rows the first is the head */
const table = ([head = [], ...rows]) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("")

/** The page as it is, in front of, between and behind its marks. */
export function readPage() {
  const page = readFileSync(pageUrl, "utf8")
  const [from, to] = [page.indexOf(begin) + begin.length, page.indexOf(end)]
  if (from < begin.length || to < from) throw new Error(`docs/faults.md has lost its marks: ${begin} and ${end}`)
  return { before: page.slice(0, from), generated: page.slice(from, to).trim(), after: page.slice(to) }
}
