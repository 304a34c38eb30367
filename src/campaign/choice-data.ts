import { InvalidOption } from "../domain/errors.ts"
import { describe } from "../domain/json.ts"
import { answerIn, type Choice } from "../kernel/choice.ts"
import { forkListedChoice } from "../kernel/choice-forked.ts"
import { byFork, type ChoiceLists } from "../kernel/choice-forks.ts"

/**
 * Choices of a run as data. Draws are answered by forks, a fork being what stands before the last `/` of a label (`net/ann`,
 * `schedule`): each from the list under its name or, in a list of lists, the first fork that asks from the first list, the
 * next one from the second, and so on. Answers are taken modulo what is possible, of a draw with a `calmWeight` with the calm
 * answer so many times, behind the others; calm is what no list answers.
 *
 * @since 0.1.0
 * @category models
 */
export type ChoiceData = ChoiceLists | ReadonlyArray<ReadonlyArray<number>>

/** The source that gives them. */
const choiceOf = (data: ChoiceData): Choice => (isListOfLists(data) ? inOrder(data) : forkListedChoice(data))

const isListOfLists = (data: ChoiceData): data is ReadonlyArray<ReadonlyArray<number>> => Array.isArray(data)

const inOrder = (lists: ReadonlyArray<ReadonlyArray<number>>): Choice => {
  let forks = 0
  const cursorOf = byFork(() => ({ list: lists[forks++] ?? [], at: 0 }))
  return {
    draw(n, label, calmWeight) {
      const cursor = cursorOf(label)
      return answerIn(cursor.list[cursor.at++] ?? 0, n, calmWeight)
    }
  }
}

/** Whether it is a source rather than data. A fork may have any name, but what it has is a list. */
const isSource = (choice: Choice | ChoiceData): choice is Choice =>
  "draw" in choice && typeof choice.draw === "function"

/** A source that is watched. */
export interface CheckedSource {
  readonly choice: Choice
  /** What it answered wrongly first, also when the run caught it. */
  problem(): InvalidOption | null
}

/** Hands on only answers that are possible: a source of somebody's own may give others, and the draw throws then. */
export const checkedSource = (given: Choice | ChoiceData): CheckedSource => {
  if (!isSource(given)) return { choice: choiceOf(given), problem: () => null }
  let problem: InvalidOption | null = null
  const choice: Choice = {
    draw(n, label, calmWeight) {
      const answer = given.draw(n, label, calmWeight)
      if (Number.isInteger(answer) && answer >= 0 && answer < n) return answer
      const told = typeof answer === "number" ? String(answer) : describe(answer)
      const wrong = new InvalidOption(
        `choice answered ${told} to the draw ${JSON.stringify(label)} of ${n}; give a whole number from 0 to ${n - 1}`
      )
      problem ??= wrong
      throw wrong
    }
  }
  return { choice, problem: () => problem }
}
