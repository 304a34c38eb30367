import { turnReply, turnStream } from "../answers.ts"
import type { Behavior, FaultContext } from "../behavior.ts"
import { callOf, callsTurn } from "../turns.ts"

const cutCall = ({ settings }: FaultContext) => {
  const points = Array.from(settings.toolArguments)
  const half = points.slice(0, Math.floor(points.length / 2)).join("")
  return callsTurn([{ ...callOf(settings), pieces: [half] }], "length")
}

/** A call whose arguments were cut at the token limit. */
export const toolCallTruncated: Behavior = {
  name: "tool_call_truncated",
  summary: "a tool call with half of its arguments, at the token limit",
  uses: ["toolName", "toolArguments"],
  outcome: "completed",
  stream: (context) => turnStream(context, cutCall(context)),
  reply: (context) => turnReply(context, cutCall(context))
}
