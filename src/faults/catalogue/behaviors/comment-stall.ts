import { keepAliveFrame } from "../../../wire/sse-frame.ts"
import { bodyOf, streamOf } from "../answers.ts"
import type { Behavior, FaultAnswer, FaultContext } from "../behavior.ts"

const beating = (answer: FaultAnswer, bytes: string, { settings }: FaultContext): FaultAnswer => ({
  ...answer,
  heartbeat: { ms: settings.heartbeatMs, bytes }
})

/**
 * A connection that is alive, and an answer that never comes. It stalls behind its head, and sends comments for as long as
 * the client waits and reads. A JSON reply has blank lines for comments, as providers send them.
 */
export const commentStall: Behavior = {
  name: "comment_stall",
  summary: "comments and no data (JSON: blank lines)",
  uses: ["heartbeatMs"],
  outcome: "stalled",
  stream: (context) => beating(streamOf(context.voice, [], { ending: "stall" }), keepAliveFrame, context),
  reply: (context) => beating(bodyOf("", { ending: "stall" }), "\n", context)
}
