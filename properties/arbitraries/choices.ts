import fc from "fast-check"
import { InvalidOption } from "../../src/domain/errors.ts"
import { check, listOf, members, type OptionCheck, whole } from "../../src/domain/option-checks.ts"
import type { ChoiceLists } from "../../src/kernel/choice-forks.ts"

/** Which choices are generated. */
export interface ChoicesOptions {
  /**
   * The forks that get choices, such as `schedule` and `net/ann`; the others are calm. Without them there is a list for each of
   * the first forks that ask, whatever their names.
   */
  readonly forks?: ReadonlyArray<string>
  /** For so many forks, where they are not named. Default 8. */
  readonly forksMax?: number
  /** For so many draws of a fork. Default 40. */
  readonly lengthMax?: number
  /**
   * The highest answer; answers are taken modulo what is possible. Default 2^31 - 1, so that all that a run draws can be reached; most are
   * from 0 to 15.
   */
  readonly answerMax?: number
}

/** Those of choices of one fork. */
type ScheduleOptions = Pick<ChoicesOptions, "lengthMax" | "answerMax">

const upTo = (most: number): OptionCheck => whole(0, most)
const countMost = 1_000_000
const lists: Readonly<Record<keyof ScheduleOptions, OptionCheck>> = {
  lengthMax: upTo(countMost),
  answerMax: upTo(2 ** 32 - 1)
}
const all: Readonly<Record<keyof ChoicesOptions, OptionCheck>> = {
  ...lists,
  // What is drawn under `/x` has a fork without a name.
  forks: listOf(check((value) => typeof value === "string", "a text")),
  forksMax: upTo(countMost)
}
const checks = {
  choices: members(all),
  schedule: members(lists)
}

const checkOptions = (name: keyof typeof checks, options: unknown): void => {
  const problem = checks[name](options, "")
  if (problem !== null) throw new InvalidOption(`arbitraries.${name}: ${problem}`)
}

/** Most draws have no more answers. */
const smallMax = 15

const answerMaxDefault = 2 ** 31 - 1

/** A choice, as often calm as not, and seldom high: low answers shrink sooner. */
const answer = (max: number): fc.Arbitrary<number> =>
  fc.oneof(
    { withCrossShrink: true },
    { arbitrary: fc.constant(0), weight: 4 },
    { arbitrary: fc.nat({ max: Math.min(max, smallMax) }), weight: 3 },
    { arbitrary: fc.nat({ max }), weight: 1 }
  )

/**
 * What a run may choose, as `withSim({ choice })` takes it: schedule, faults, delays and draws of the test as small integers that
 * shrink to the calm run.
 *
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category constructors
 */
export function choices(options: ChoicesOptions & { readonly forks: ReadonlyArray<string> }): fc.Arbitrary<ChoiceLists>
export function choices(options?: ChoicesOptions): fc.Arbitrary<ReadonlyArray<ReadonlyArray<number>>>
export function choices(
  options: ChoicesOptions = {}
): fc.Arbitrary<ChoiceLists> | fc.Arbitrary<ReadonlyArray<ReadonlyArray<number>>> {
  checkOptions("choices", options)
  const { forks, forksMax = 8, lengthMax = 40, answerMax = answerMaxDefault } = options
  const list = fc.array(answer(answerMax), { maxLength: lengthMax })
  if (forks === undefined) return fc.array(list, { maxLength: forksMax })
  const named = forks.map((fork) => fc.option(list).map((answers) => [fork, answers ?? []] as const))
  return fc.tuple(...named).map((lists) => Object.fromEntries(lists.filter(([, answers]) => answers.length > 0)))
}

/**
 * Which of the events that may happen next does, for `withSim({ choice })`; all else that a run draws is calm.
 *
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category constructors
 */
export const schedule = (options: ScheduleOptions = {}): fc.Arbitrary<ChoiceLists> => {
  checkOptions("schedule", options)
  return choices({ ...options, forks: ["schedule"] })
}
