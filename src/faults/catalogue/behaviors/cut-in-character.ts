import { cutSteps, droppedReply, droppedStream, framesOf, placesInCharacters, streamBytes } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { wideTurn } from "../turns.ts"

const firstPlace = (bytes: Uint8Array): number => placesInCharacters(bytes)[0] ?? bytes.byteLength

/**
 * An answer that is cut inside its first character of several bytes. A text without such characters is replaced by one
 * that has them.
 */
export const cutInCharacter: Behavior = {
  name: "cut_in_character",
  summary: "the connection is dropped inside a multi-byte character",
  uses: ["successText", "chunkSize", "disconnectDelayMs", "resetMode"],
  outcome: "reset",
  stream(context) {
    const { voice, settings } = context
    const frames = framesOf(voice.events(wideTurn(settings)))
    return droppedStream(context, cutSteps(frames, firstPlace(streamBytes(frames).bytes)))
  },
  reply: (context) =>
    droppedReply(context, context.voice.reply(wideTurn(context.settings)), (bytes) =>
      bytes.subarray(0, firstPlace(bytes))
    )
}
