import { clip } from "../../domain/clip.ts"
import { describe } from "../../domain/json.ts"
import { answerOf, type Turn } from "./fuzz-words.ts"

const textMax = 200

const nameOf = ({ client, number }: Turn): string => `turn ${number} of ${client}`

/**
 * A turn of a fuzzed conversation was lost: it completed without the whole of its answer, or failed although nothing had gone
 * wrong with it. The first line of the message says which, the others what was seen.
 *
 * @since 0.1.0
 * @category errors
 */
export class TurnLost extends Error {
  readonly _tag = "TurnLost"
  constructor(what: string, details: ReadonlyArray<string>, options?: ErrorOptions) {
    super([what, ...details].join("\n"), options)
    this.name = "TurnLost"
  }
}

/** Fails unless a text is, or holds, the whole answer of its turn. */
export const checkAnswer = (turn: Turn, text: unknown): void => {
  if (typeof text !== "string")
    throw new TurnLost("a turn gives no text", [`${nameOf(turn)} gave ${describe(text)}; a client resolves to a text`])
  const answer = answerOf(turn)
  if (text.includes(answer)) return
  const seen = [
    `${nameOf(turn)} gave ${JSON.stringify(clip(text, textMax))}`,
    `the model said ${JSON.stringify(answer)}`
  ]
  const isOthers = /answer to (\w+)\/(\d+)/.exec(text)
  if (isOthers !== null && (isOthers[1] !== turn.client || Number(isOthers[2]) !== turn.number))
    throw new TurnLost("a turn completed with the answer of another", seen)
  throw new TurnLost("a turn completed without the whole of its answer", seen)
}

export const failedForNothing = (turn: Turn, error: unknown): TurnLost => {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : describe(error)
  return new TurnLost(
    "a turn failed although nothing had gone wrong with it",
    [`${nameOf(turn)}: ${clip(message, textMax)}`],
    { cause: error }
  )
}
