import { turnReply, turnStream } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { emptyTurn } from "../turns.ts"

/** A correct, finished answer without content. */
export const empty: Behavior = {
  name: "empty",
  summary: "a complete answer that says nothing",
  uses: [],
  outcome: "completed",
  stream: (context) => turnStream(context, emptyTurn),
  reply: (context) => turnReply(context, emptyTurn)
}
