import { turnReply, turnStream } from "../answers.ts"
import type { Behavior, FaultContext } from "../behavior.ts"
import { textTurn } from "../turns.ts"

const lateHead = ({ settings }: FaultContext) => ({ headDelayMs: settings.headDelayMs })

/** A good answer whose head comes late. */
export const slowHead: Behavior = {
  name: "slow_head",
  summary: "silence before the head, then a good answer",
  uses: ["headDelayMs", "successText", "chunkSize"],
  outcome: "completed",
  stream: (context) => turnStream(context, textTurn(context.settings), lateHead(context)),
  reply: (context) => turnReply(context, textTurn(context.settings), lateHead(context))
}
