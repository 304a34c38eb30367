import { turnReply, turnStream } from "../answers.ts"
import type { Behavior, FaultContext } from "../behavior.ts"
import { callOf, callsTurn, halved } from "../turns.ts"

const invalidCall = ({ settings }: FaultContext) => callsTurn([{ ...callOf(settings), pieces: halved("{not-json") }])

/** A call whose arguments are no JSON. */
export const toolCallInvalid: Behavior = {
  name: "tool_call_invalid",
  summary: "a tool call whose arguments are not JSON",
  uses: ["toolName"],
  outcome: "completed",
  stream: (context) => turnStream(context, invalidCall(context)),
  reply: (context) => turnReply(context, invalidCall(context))
}
