import { chosenAt } from "./chosen.ts"
import type { TracedStep } from "./run-trace.ts"

/** One line of a sequence diagram: a step, or steps that follow each other and look the same. */
export interface Row {
  /** The first of them. */
  readonly step: TracedStep
  readonly count: number
  /** Whether something was chosen at it that is not calm. */
  readonly isChosen: boolean
}

/** Puts steps that look the same and follow each other into one row. */
export const rowsOf = (steps: ReadonlyArray<TracedStep>): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  for (const step of steps) {
    const before = rows.at(-1)
    const isChosen = chosenAt(step).length > 0
    if (before !== undefined && !isChosen && !before.isChosen && looksLike(before.step, step))
      rows[rows.length - 1] = { ...before, count: before.count + 1 }
    else rows.push({ step, count: 1, isChosen })
  }
  return rows
}

const looksLike = (one: TracedStep, other: TracedStep): boolean =>
  one.kind === other.kind &&
  one.label === other.label &&
  one.actor === other.actor &&
  one.from === other.from &&
  one.state === other.state &&
  one.note === other.note

/** Rows that stand in a diagram, and how many steps are left out before each. */
export interface PickedRows {
  readonly rows: ReadonlyArray<{ readonly row: Row; readonly leftOut: number }>
  /** The actors of the rows. */
  readonly actors: ReadonlySet<string>
}

/**
 * As many rows as fit into so many lines, with a line for each actor and for each gap: the last one, the first one, those at
 * which something was chosen, and then from the end backwards.
 */
export const pickRows = (rows: ReadonlyArray<Row>, linesMax: number): PickedRows => {
  const picked = new Set<number>()
  const actors = new Set<string>()
  let lines = gaps(picked, rows.length)
  for (const index of byWeight(rows)) {
    const row = rows[index]
    if (row === undefined || picked.has(index)) continue
    const newActors = actorsOf(row.step).filter((actor) => !actors.has(actor))
    picked.add(index)
    const grown = picked.size + actors.size + newActors.length + gaps(picked, rows.length)
    if (grown > linesMax) {
      picked.delete(index)
      // The rows that come first weigh most, and what is left of the lines is of no use to most of the others.
      if (lines >= linesMax - 1) break
      continue
    }
    lines = grown
    for (const actor of newActors) actors.add(actor)
  }
  return { rows: withGaps(rows, picked), actors }
}

/** Who stands in a row. */
export const actorsOf = ({ actor, from }: TracedStep): ReadonlyArray<string> =>
  from === undefined || from === actor ? [actor] : [from, actor]

/** So many rows are looked at when a diagram is filled. */
const triesMax = 500

const byWeight = (rows: ReadonlyArray<Row>): ReadonlyArray<number> => {
  const all = rows.map((_, index) => index).reverse()
  const chosen = all.filter((index) => rows[index]?.isChosen === true)
  return [...all.slice(0, 1), ...all.slice(-1), ...chosen.slice(0, triesMax), ...all.slice(0, triesMax)]
}

/** How many stretches of rows are not picked. */
const gaps = (picked: ReadonlySet<number>, rowCount: number): number => {
  const sorted = [...picked].sort((one, other) => one - other)
  let count = 0
  let next = 0
  for (const index of sorted) {
    if (index > next) count++
    next = index + 1
  }
  return next < rowCount ? count + 1 : count
}

const withGaps = (rows: ReadonlyArray<Row>, picked: ReadonlySet<number>): PickedRows["rows"] => {
  let leftOut = 0
  return rows.flatMap((row, index) => {
    if (!picked.has(index)) {
      leftOut += row.count
      return []
    }
    const before = leftOut
    leftOut = 0
    return [{ row, leftOut: before }]
  })
}
