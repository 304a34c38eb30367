import type { Choice } from "../kernel/choice.ts"
import type { Draw } from "../kernel/choice-sources.ts"
import type { Attempts } from "./drive.ts"
import { compareRuns, NotDeterministic, type RunRecord } from "./not-deterministic.ts"
import { type Program, plainContext } from "./program.ts"
import { watchChoice } from "./watched-choice.ts"

/** Gives the answers again, whatever is asked, so that a run which differs is seen to its end. */
const retracedChoice = (draws: ReadonlyArray<Draw>): Choice => {
  let at = 0
  return { draw: (n) => (draws[at++]?.answer ?? 0) % n }
}

/** Makes a run again; fails with `NotDeterministic`. */
export function* checkedAgain(
  program: Program,
  { seed, index, record }: { readonly seed: number; readonly index: number; readonly record: RunRecord }
): Attempts<void> {
  const again = watchChoice(retracedChoice(record.draws))
  const outcome = yield () => program(again.choice, plainContext(seed))
  const differences = compareRuns(record, { outcome, draws: again.draws, steps: again.steps })
  if (differences !== null) throw new NotDeterministic(index, differences)
}
