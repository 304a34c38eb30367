import { settingsOf } from "./check-fault-options.ts"
import { InvalidOption } from "./errors.ts"
import type { FaultName } from "./fault-names.ts"
import type { FaultOptions, FaultSettings } from "./fault-options.ts"

/** An answer in more pieces than this is more than a server can plan and hold beside its other work. */
export const piecesMax = 100_000

const texts = ["successText", "partialText", "reasoningText"] as const

/** About what an event is long beside the text that it carries. */
const frameBytes = 256

/**
 * Checks that an answer does not fall into too many pieces: texts cut by `chunkSize`, and `drip`, which sends each byte by
 * itself.
 *
 * **Takes** the options with everything that applies; `where` is put before the name
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category guards
 */
export const checkAnswerSize = (
  behavior: FaultName | "random" | "script_exhausted",
  options: FaultOptions,
  where = ""
): void => {
  const settings = settingsOf(options)
  const { chunkSize, successText } = settings
  for (const name of texts) {
    const pieces = piecesIn(settings[name], settings)
    if (pieces > piecesMax) {
      throw new InvalidOption(
        `${where}${name} falls into ${pieces} pieces of chunkSize ${chunkSize}, and an answer may have ${piecesMax}; ` +
          "use a larger chunkSize or a shorter text"
      )
    }
  }
  const bytes = Buffer.byteLength(successText) + frameBytes * piecesIn(successText, settings)
  if (behavior !== "drip" || bytes <= piecesMax) return
  throw new InvalidOption(
    `${where}successText makes about ${bytes} bytes in pieces of chunkSize ${chunkSize}, and drip may send ${piecesMax} ` +
      "one by one; use a larger chunkSize or a shorter text"
  )
}

/** Of a text that is far too long the characters are not counted one by one. */
const piecesIn = (text: string, { chunkSize }: FaultSettings): number => {
  const isShort = text.length <= piecesMax * chunkSize
  return Math.ceil((isShort || text.length > 4 * piecesMax * chunkSize ? text.length : countOf(text)) / chunkSize)
}

const countOf = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}
