import { turnReply, turnStream } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { thoughtTurn } from "../turns.ts"

/** A thought, and a good end without a word of text. */
export const reasoningOnly: Behavior = {
  name: "reasoning_only",
  summary: "reasoning and no text",
  uses: ["reasoningText", "chunkSize"],
  outcome: "completed",
  stream: (context) => turnStream(context, thoughtTurn(context.settings)),
  reply: (context) => turnReply(context, thoughtTurn(context.settings))
}
