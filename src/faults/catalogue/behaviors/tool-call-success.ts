import { turnReply, turnStream } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { callOf, callsTurn } from "../turns.ts"

/** A good answer that calls a tool. */
export const toolCallSuccess: Behavior = {
  name: "tool_call_success",
  summary: "a good answer that calls a tool",
  uses: ["toolName", "toolArguments"],
  outcome: "completed",
  stream: (context) => turnStream(context, callsTurn([callOf(context.settings)])),
  reply: (context) => turnReply(context, callsTurn([callOf(context.settings)]))
}
