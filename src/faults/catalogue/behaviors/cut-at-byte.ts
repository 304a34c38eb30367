import { cutSteps, droppedReply, droppedStream, framesOf } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

/** A good answer that is cut behind so many bytes of its body: of a stream at the latest behind the last, of a reply before it. */
export const cutAtByte: Behavior = {
  name: "cut_at_byte",
  summary: "the connection is dropped after a number of bytes",
  uses: ["successText", "chunkSize", "cutAfterBytes", "disconnectDelayMs", "resetMode"],
  outcome: "reset",
  stream(context) {
    const { voice, settings } = context
    const frames = framesOf(voice.events(textTurn(settings)))
    return droppedStream(context, cutSteps(frames, settings.cutAfterBytes))
  },
  reply(context) {
    const { voice, settings } = context
    // A body of which every byte was sent would be a whole message, however its connection ends.
    return droppedReply(context, voice.reply(textTurn(settings)), (bytes) =>
      bytes.subarray(0, Math.min(settings.cutAfterBytes, bytes.byteLength - 1))
    )
  }
}
