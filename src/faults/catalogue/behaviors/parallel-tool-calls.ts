import { turnReply, turnStream } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { parallelTurn } from "../turns.ts"

/** A good answer with two calls whose fragments come in turns. */
export const parallelToolCalls: Behavior = {
  name: "parallel_tool_calls",
  summary: "two tool calls, their fragments interleaved",
  uses: ["toolName", "toolArguments"],
  outcome: "completed",
  stream: (context) => turnStream(context, parallelTurn(context.settings)),
  reply: (context) => turnReply(context, parallelTurn(context.settings))
}
