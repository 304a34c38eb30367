import { droppedReply, droppedStream, eventSteps } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

/**
 * A good answer that is cut behind so many events, at the latest behind the last. A JSON reply, which has no events, is
 * cut in its middle.
 */
export const cutAtEvent: Behavior = {
  name: "cut_at_event",
  summary: "the connection is dropped after a number of events",
  uses: ["successText", "chunkSize", "cutAfterEvents", "disconnectDelayMs", "resetMode"],
  outcome: "reset",
  stream(context) {
    const { voice, settings } = context
    const events = voice.events(textTurn(settings)).slice(0, settings.cutAfterEvents)
    return droppedStream(context, eventSteps(events), events)
  },
  reply(context) {
    const text = context.voice.reply(textTurn(context.settings))
    return droppedReply(context, text, (bytes) => bytes.subarray(0, Math.floor(bytes.byteLength / 2)))
  }
}
