import { turnReply, turnStream } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

/** An answer that says it was cut at the token limit. */
export const maxTokens: Behavior = {
  name: "max_tokens",
  summary: "an answer that stops at the token limit",
  uses: ["successText", "chunkSize"],
  outcome: "completed",
  stream: (context) => turnStream(context, textTurn(context.settings, { finish: "length" })),
  reply: (context) => turnReply(context, textTurn(context.settings, { finish: "length" }))
}
