import { droppedReply, droppedStream, eventSteps } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

/** All of a good answer but its last event (JSON: but its last byte). */
export const cutBeforeDone: Behavior = {
  name: "cut_before_done",
  summary: "the connection is dropped before the last event",
  uses: ["successText", "chunkSize", "disconnectDelayMs", "resetMode"],
  outcome: "reset",
  stream(context) {
    const events = context.voice.events(textTurn(context.settings)).slice(0, -1)
    return droppedStream(context, eventSteps(events), events)
  },
  reply: (context) =>
    droppedReply(context, context.voice.reply(textTurn(context.settings)), (bytes) => bytes.subarray(0, -1))
}
