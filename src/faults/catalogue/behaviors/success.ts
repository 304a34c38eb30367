import { turnReply, turnStream } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

/** A good answer. */
export const success: Behavior = {
  name: "success",
  summary: "a good answer",
  uses: ["successText", "chunkSize"],
  outcome: "completed",
  stream: (context) => turnStream(context, textTurn(context.settings)),
  reply: (context) => turnReply(context, textTurn(context.settings))
}
