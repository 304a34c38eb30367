/*
 * What is said in a fuzzed conversation. Every text says to which turn it belongs, so that the model finds the turn in a request,
 * however the client has packed it, and a user finds it in an answer.
 */

/** Whose turn, and which one of theirs, from 1. */
export interface Turn {
  readonly client: string
  readonly number: number
}

export const promptOf = ({ client, number }: Turn): string => `What about question ${client}#${number}?`

/** Every answer begins with it, and no other text of the conversation has it: a piece of an answer is known by it. */
export const answerMark = "Ahoy"

/** The whole answer; a part of it is none. */
export const answerOf = ({ client, number }: Turn): string =>
  `${answerMark}, ${client}/${number}: the sea is calm, so far ${client}/${number}.`

export const toolCallId = ({ client, number }: Turn, step: number): string => `call_${client}_${number}_${step}`

export const toolResult = (id: string): string => `result of ${id};`

/** The turn that a request is about, which is the last one that it names. */
export const turnIn = (body: string): Turn | null => {
  const last = [...body.matchAll(/What about question (\w+)#(\d+)\?/g)].at(-1)
  const [, client, number] = last ?? []
  return client === undefined || number === undefined ? null : { client, number: Number(number) }
}

/** How many tools of a turn have answered. */
export const toolsDone = (body: string, turn: Turn): number => {
  let done = 0
  while (body.includes(toolResult(toolCallId(turn, done + 1)))) done++
  return done
}
