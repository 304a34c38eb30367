import type { Choice } from "../kernel/choice.ts"
import { forkListedChoice } from "../kernel/choice-forked.ts"
import { byFork, type ChoiceLists } from "../kernel/choice-forks.ts"

/**
 * Choices of a run as data. Draws are answered by forks, a fork being what stands before the last `/` of a label (`net/ann`,
 * `schedule`): each from the list under its name or, in a list of lists, the first fork that asks from the first list, the
 * next one from the second, and so on. Answers are taken modulo what is possible; calm is what no list answers.
 *
 * @since 0.1.0
 * @category models
 */
export type ChoiceData = ChoiceLists | ReadonlyArray<ReadonlyArray<number>>

/** The source that gives them. */
export const choiceOf = (data: ChoiceData): Choice => (isListOfLists(data) ? inOrder(data) : forkListedChoice(data))

const isListOfLists = (data: ChoiceData): data is ReadonlyArray<ReadonlyArray<number>> => Array.isArray(data)

const inOrder = (lists: ReadonlyArray<ReadonlyArray<number>>): Choice => {
  let forks = 0
  const cursorOf = byFork(() => ({ list: lists[forks++] ?? [], at: 0 }))
  return {
    draw(n, label) {
      const cursor = cursorOf(label)
      return (cursor.list[cursor.at++] ?? 0) % n
    }
  }
}

/** Whether it is a source rather than data. A fork may have any name, but what it has is a list. */
export const isSource = (choice: Choice | ChoiceData): choice is Choice =>
  "draw" in choice && typeof choice.draw === "function"
