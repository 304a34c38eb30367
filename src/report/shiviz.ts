import type { TracedStep } from "./run-trace.ts"
import { vectorClocks } from "./vector-clocks.ts"
import { sayDuration } from "./virtual-duration.ts"
import { visibleText } from "./visible-text.ts"

/** So many steps are shown; of a longer run the newest. */
const stepsMax = 5_000

/** What ShiViz finds an event by: it takes the first line of a file for this, and the second for what parts executions. */
const pattern = String.raw`(?<host>\S*) (?<clock>\{.*\})\n(?<event>.*)`

/**
 * A run as a log for ShiViz, with the expression that reads it as its first line: two lines a step, actor and vector clock and
 * then what happened. Steps can be a slice; its clocks count what is in it.
 *
 * @since 0.1.0
 * @category reports
 */
export const shivizLog = (steps: ReadonlyArray<TracedStep>): string => {
  const lines = [pattern, ""]
  for (const { step, clock } of vectorClocks(steps.slice(-stepsMax))) {
    const times = [...clock].sort(([one], [other]) => (one < other ? -1 : 1))
    lines.push(
      `${hostOf(step.actor)} {${times.map(([actor, n]) => `${JSON.stringify(hostOf(actor))}:${n}`).join(",")}}`
    )
    lines.push(eventOf(step))
  }
  return `${lines.join("\n")}\n`
}

/** A name without white space, quotes and brackets, by which the log would be read wrong; others stay apart. */
const hostOf = (actor: string): string =>
  actor === "" ? "%" : actor.replace(/[\s%"{}\\\p{C}]/gu, (unit) => `%${(unit.codePointAt(0) ?? 0).toString(16)}.`)

const eventOf = ({ step, at, kind, label, state, note }: TracedStep): string => {
  const more = [state, note].filter((text) => text !== undefined).map((text) => ` | ${text}`)
  return visibleText(`${step}. ${sayDuration(at)} ${kind} ${label}${more.join("")}`)
}
