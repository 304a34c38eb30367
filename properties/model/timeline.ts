import { type BarrierPlace, barrierName } from "./command.ts"
import type { KnownAnswer } from "./script.ts"

/**
 * One thing that a copy does, in order. `crosses` marks the one that it may only do when it is permitted to complete.
 */
export type Stage =
  | { readonly does: "pause"; readonly ms: number; readonly crosses: false }
  | { readonly does: "barrier"; readonly name: string; readonly crosses: false }
  | { readonly does: "gate"; readonly crosses: false }
  | { readonly does: "head"; readonly crosses: boolean }
  | { readonly does: "write"; readonly text: string; readonly crosses: boolean }
  | { readonly does: "end"; readonly crosses: boolean }

/** What holds a copy up. */
export interface Pace {
  readonly delayMs: number | null
  readonly barriers: ReadonlyArray<BarrierPlace>
  readonly isGated: boolean
}

/**
 * The stages of one copy of an answer: events that nothing separates go out as one text.
 *
 * **Source** inference-server.md, sections 4.5, 4.9, 6 and 7
 */
export const stagesOf = ({ body }: KnownAnswer, pace: Pace): ReadonlyArray<Stage> => {
  const at = (place: BarrierPlace): ReadonlyArray<Stage> =>
    pace.barriers
      .filter((barrier) => barrier === place)
      .map((barrier) => ({ does: "barrier", name: barrierName(barrier), crosses: false }))
  if (body.kind !== "frames") {
    const text = body.kind === "whole" ? body.text : ""
    return [...at("head"), ...at("terminal"), { does: "head", crosses: true }, ...writeOf(text), end(false)]
  }
  const gate: ReadonlyArray<Stage> = pace.isGated ? [{ does: "gate", crosses: false }] : []
  const stages: Array<Stage> = [...at("head"), { does: "head", crosses: false }]
  body.frames.forEach((text, index) => {
    if (pace.delayMs !== null) stages.push({ does: "pause", ms: pace.delayMs, crosses: false })
    stages.push(...at(index))
    if (index === body.frames.length - 1) stages.push(...at("terminal"), ...gate)
    append(stages, text)
  })
  if (body.frames.length === 0) return [...stages, ...at("terminal"), ...gate, end(true)]
  const last = stages.pop()
  return last?.does === "write" ? [...stages, { ...last, crosses: true }, end(false)] : [end(true)]
}

const end = (crosses: boolean): Stage => ({ does: "end", crosses })

const writeOf = (text: string): ReadonlyArray<Stage> => (text === "" ? [] : [{ does: "write", text, crosses: false }])

const append = (stages: Array<Stage>, text: string): void => {
  const last = stages.at(-1)
  if (last?.does === "write") stages[stages.length - 1] = { ...last, text: last.text + text }
  else stages.push({ does: "write", text, crosses: false })
}
