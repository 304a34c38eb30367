import fc from "fast-check"
import type { ChoiceLists } from "../../src/kernel/choice-forks.ts"

/** Which choices are generated. */
export interface ChoicesOptions {
  /** The forks that get choices, such as `schedule` and `net/c1`; the others are calm. Default: `schedule`. */
  readonly forks?: ReadonlyArray<string>
  /** Default 40. */
  readonly lengthMax?: number
  /** Answers are taken modulo what is possible. Default 15. */
  readonly answerMax?: number
}

/** A choice, as often calm as not. */
const answer = (max: number): fc.Arbitrary<number> =>
  fc.oneof({ withCrossShrink: true }, fc.constant(0), fc.nat({ max }))

/**
 * What a run may choose, for `forkListedChoice`: schedule, faults and delays as small integers that shrink to the calm run.
 *
 * @since 0.1.0
 * @category constructors
 */
export const choices = (options: ChoicesOptions = {}): fc.Arbitrary<ChoiceLists> => {
  const { forks = ["schedule"], lengthMax = 40, answerMax = 15 } = options
  const list = fc.array(answer(answerMax), { maxLength: lengthMax })
  const named = forks.map((fork) => fc.option(list).map((answers) => [fork, answers ?? []] as const))
  return fc.tuple(...named).map((lists) => Object.fromEntries(lists.filter(([, answers]) => answers.length > 0)))
}
