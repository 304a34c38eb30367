import { turnReply, turnStream } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

/** A good answer without token counts. */
export const usageMissing: Behavior = {
  name: "usage_missing",
  summary: "a good answer without usage",
  uses: ["successText", "chunkSize"],
  outcome: "completed",
  stream: (context) => turnStream(context, { ...textTurn(context.settings), usage: "none" }),
  reply: (context) => turnReply(context, { ...textTurn(context.settings), usage: "none" })
}
