// @ts-check
import { collect } from "../outcomes.mjs"

/**
 * What a program has of an answer.
 *
 * @typedef {{ readonly text: string, readonly finish: string | null, readonly calls: ReadonlyArray<string> }} Answer
 */

/** The client gave what is no answer, and the program that reads it as one fails. */
export class ReadingFailed extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = cause instanceof Error ? cause.name : "Error"
  }
}

/**
 * Takes all that a client gives, and only then reads it, so that it is known which of the two failed.
 *
 * @template T
 * @param {AsyncIterable<T> | ReadonlyArray<T>} items
 * @param {(items: Array<T>) => Answer} read
 * @returns {Promise<Answer>}
 */
export async function readAs(items, read) {
  const collected = await collect(items)
  try {
    return read(collected)
  } catch (error) {
    throw new ReadingFailed(error)
  }
}

/**
 * @param {{
 *   readonly texts: ReadonlyArray<string | null | undefined>
 *   readonly finishes: ReadonlyArray<string | null | undefined>
 *   readonly calls?: ReadonlyArray<string> | null
 * }} parts
 * @returns {Answer}
 */
export const answerOf = ({ texts, finishes, calls }) => ({
  text: texts.join(""),
  finish: finishes.filter((finish) => typeof finish === "string").at(-1) ?? null,
  calls: calls ?? []
})
