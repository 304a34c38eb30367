import { turnReply, turnStream } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { reasoningTurn } from "../turns.ts"

/** A good answer with a thought before it. */
export const reasoningSuccess: Behavior = {
  name: "reasoning_success",
  summary: "a good answer with reasoning before it",
  uses: ["reasoningText", "successText", "chunkSize"],
  outcome: "completed",
  stream: (context) => turnStream(context, reasoningTurn(context.settings)),
  reply: (context) => turnReply(context, reasoningTurn(context.settings))
}
