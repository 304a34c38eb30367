import type { ControlAnswer } from "./answer-request.ts"

/** A longer answer is not given, only that it would be: it stands in the memory as a whole. In characters. */
export const answerLengthMax = 16 * 1024 * 1024

/**
 * An answer as a line of JSON, or, where that would be too long for anybody, the answer that says so.
 *
 * @since 0.1.0
 * @category encoding
 */
export const fittingAnswer = (answer: ControlAnswer): { readonly answer: ControlAnswer; readonly text: string } => {
  const text = jsonOf(answer)
  if (text !== null && text.length <= answerLengthMax) return { answer, text }
  const { id } = answer
  const error = `the answer has more than ${answerLengthMax} characters; ask for less with last, or take rules away`
  const short: ControlAnswer = { ...(id === undefined ? {} : { id }), ok: false, error }
  return { answer: short, text: JSON.stringify(short) }
}

/** `null` for what is longer than any text may be. */
const jsonOf = (answer: ControlAnswer): string | null => {
  try {
    return JSON.stringify(answer)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
