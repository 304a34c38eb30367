import { cutSteps, droppedReply, droppedStream, framesOf, lastPieceAt, streamBytes } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

/** A good answer that is cut before the blank line of its last piece of text (JSON: before its last byte). */
export const cutBeforeBlankLine: Behavior = {
  name: "cut_before_blank_line",
  summary: "the connection is dropped before the blank line of an event",
  uses: ["successText", "chunkSize", "disconnectDelayMs", "resetMode"],
  outcome: "reset",
  stream(context) {
    const events = context.voice.events(textTurn(context.settings))
    const frames = framesOf(events.slice(0, lastPieceAt(events) + 1))
    return droppedStream(context, cutSteps(frames, streamBytes(frames).bytes.byteLength - 1))
  },
  reply: (context) =>
    droppedReply(context, context.voice.reply(textTurn(context.settings)), (bytes) => bytes.subarray(0, -1))
}
