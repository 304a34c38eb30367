import { cpuSeconds } from "../../shared/measure/cpu-seconds.ts"

/** Rounds of one reading: some tens of milliseconds. */
const rounds = 300_000

interface Cell {
  readonly key: number
  next: Cell | null
}

/**
 * A fixed amount of plain JavaScript: arithmetic, objects, a map. What share of a CPU a loaded machine gives shows in it as in
 * what is measured beside it.
 *
 * **Gives** rounds per CPU-second
 */
export const referenceRate = (): number => {
  const began = cpuSeconds()
  const checksum = referenceRounds()
  // Looked at, so that no compiler leaves the loop out.
  return Number.isNaN(checksum) ? 0 : rounds / (cpuSeconds() - began)
}

const referenceRounds = (): number => {
  const cells = new Map<number, Cell>()
  let last: Cell | null = null
  let state = 1
  for (let round = 0; round < rounds; round++) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + round
    const cell: Cell = { key: state & 1023, next: null }
    if (last !== null) last.next = cell
    last = cell
    const other = cells.get(cell.key)
    if (other === undefined || other.next === null) cells.set(cell.key, cell)
    else cells.delete(cell.key)
  }
  return cells.size ^ state
}
