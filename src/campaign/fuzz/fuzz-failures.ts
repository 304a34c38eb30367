import { clip } from "../../domain/clip.ts"
import { describe } from "../../domain/json.ts"
import { answerMark, answerOf, type Turn } from "./fuzz-words.ts"

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
  const seen = [
    `${nameOf(turn)} gave ${JSON.stringify(clip(text, textMax))}`,
    `the model said ${JSON.stringify(answer)}`
  ]
  const at = text.indexOf(answer)
  const rest = at < 0 ? text : text.slice(0, at) + text.slice(at + answer.length)
  const other = anyAnswer.exec(rest)
  if (other !== null && (other[1] !== turn.client || Number(other[2]) !== turn.number))
    throw new TurnLost("a turn completed with the answer of another", seen)
  if (at < 0) throw new TurnLost("a turn completed without the whole of its answer", seen)
  if (rest.includes(answerMark)) throw new TurnLost("a turn completed with more than its answer", seen)
}

const anyAnswer = new RegExp(`${answerMark}, (\\w+)/(\\d+)`)

/** A client calls what nobody asked it to. */
export const toolForNothing = (turn: Turn, id: string): TurnLost =>
  new TurnLost("a tool was called that the model had not asked for", [`${nameOf(turn)} called ${describe(id)}`])

export const failedForNothing = (turn: Turn, error: unknown): TurnLost => {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : describe(error)
  return new TurnLost(
    "a turn failed although nothing had gone wrong with it",
    [`${nameOf(turn)}: ${clip(message, textMax)}`],
    { cause: error }
  )
}
