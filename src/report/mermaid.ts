import { failureSlice } from "./causal-slice.ts"
import { chosenAt } from "./chosen.ts"
import { actorsOf, pickRows, type Row, rowsOf } from "./mermaid-rows.ts"
import { mermaidText } from "./mermaid-text.ts"
import type { RunTrace, TracedStep } from "./run-trace.ts"
import { sayDuration } from "./virtual-duration.ts"

/** A diagram has at most so many lines, so that it fits into a failure message. */
export const diagramLinesMax = 40

const nameLengthMax = 40
const labelLengthMax = 48
const stateLengthMax = 32
const chosenLengthMax = 48
const noteLengthMax = 160
const messageLengthMax = 200

/**
 * What led to a failure, as a Mermaid sequence diagram of at most 40 lines: the steps that it depends on, in order, the most
 * telling of them where there are more. Of a run that did not fail, what led to its last step.
 *
 * @since 0.1.0
 * @category reports
 */
export const sequenceDiagram = (trace: RunTrace): string => {
  const slice = failureSlice(trace)
  const failure = failureText(trace)
  const all = rowsOf(slice)
  const { rows, actors } = pickRows(all, diagramLinesMax - 1 - (failure === null ? 0 : 1))
  const ids = participants(slice, actors)
  const span = spanOf([...ids.values()])
  const lines = ["sequenceDiagram", ...[...ids].map(([actor, id]) => `  participant ${id} as ${nameOf(actor)}`)]
  for (const { row, leftOut } of rows) {
    if (leftOut > 0) lines.push(`  Note over ${span}: … ${leftOutText(leftOut)}`)
    lines.push(`  ${message(row, ids)}`)
  }
  if (ids.size === 0) lines.push("  participant p1 as nobody")
  const last = rows.at(-1)?.row.step.actor
  if (failure !== null) lines.push(`  Note over ${ids.get(last ?? "") ?? "p1"}: ${failure}`)
  return lines.join("\n")
}

/** In the order in which they come in the run. */
const participants = (steps: ReadonlyArray<TracedStep>, actors: ReadonlySet<string>): ReadonlyMap<string, string> => {
  const ids = new Map<string, string>()
  for (const step of steps)
    for (const actor of actorsOf(step)) if (actors.has(actor) && !ids.has(actor)) ids.set(actor, `p${ids.size + 1}`)
  return ids
}

const spanOf = (ids: ReadonlyArray<string>): string => [...new Set([ids.at(0), ids.at(-1)])].join(",")

const leftOutText = (count: number): string => (count === 1 ? "1 step left out" : `${count} steps left out`)

const nameOf = (actor: string): string => mermaidText(actor, nameLengthMax)

const message = ({ step, count }: Row, ids: ReadonlyMap<string, string>): string => {
  const to = ids.get(step.actor) ?? ""
  const from = ids.get(step.from ?? step.actor) ?? to
  const times = count === 1 ? "" : ` ×${count}`
  const state = step.state === undefined ? "" : ` → ${mermaidText(step.state, stateLengthMax)}`
  const note = step.note === undefined ? "" : ` (${mermaidText(step.note, noteLengthMax)})`
  const chosen = chosenAt(step).map(({ label, n, answer }) => `${label} ${answer} of ${n}`)
  const mark = chosen.length === 0 ? "" : ` ⚑ ${mermaidText(chosen.join(", "), chosenLengthMax)}`
  const label = `${mermaidText(step.label, labelLengthMax)}${times}${state}${note}${mark}`
  return `${from}${arrows[step.kind]}${to}: [${step.step}] ${sayDuration(step.at)} ${label}`
}

/** What a message looks like: solid, dotted for timers. */
const arrows: Readonly<Record<TracedStep["kind"], string>> = { deliver: "->>", task: "->>", timer: "-->>" }

const failureText = ({ end }: RunTrace): string | null => {
  if (end.type !== "failed") return null
  const line = end.message.split("\n", 1)[0] ?? ""
  return `✗ ${mermaidText(line === "" ? end.signature : line, messageLengthMax)}`
}
