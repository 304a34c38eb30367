import { turnReply, turnStream } from "../answers.ts"
import type { Behavior, FaultContext } from "../behavior.ts"
import { textTurn } from "../turns.ts"

const overflowing = ({ settings }: FaultContext) => ({ ...textTurn(settings), usage: settings.contextWindow + 1 })

/** A good answer to more input than the context window holds. */
export const usageOverflow: Behavior = {
  name: "usage_overflow",
  summary: "usage that exceeds the context window",
  uses: ["successText", "chunkSize", "contextWindow"],
  outcome: "completed",
  stream: (context) => turnStream(context, overflowing(context)),
  reply: (context) => turnReply(context, overflowing(context))
}
