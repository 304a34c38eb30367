import { turnReply, turnStream } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

/** An answer that says a filter cut it. */
export const contentFilter: Behavior = {
  name: "content_filter",
  summary: "an answer that a filter cut",
  uses: ["successText", "chunkSize"],
  outcome: "completed",
  stream: (context) => turnStream(context, textTurn(context.settings, { finish: "content_filter" })),
  reply: (context) => turnReply(context, textTurn(context.settings, { finish: "content_filter" }))
}
