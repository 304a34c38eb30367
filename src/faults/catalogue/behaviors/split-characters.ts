import { chunkedReply, chunkSteps, framesOf, placesInCharacters, streamBytes, streamOf } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { wideTurn } from "../turns.ts"

/**
 * A good answer with a chunk border at every place inside a character of several bytes. A text without such characters
 * is replaced by one that has them.
 */
export const splitCharacters: Behavior = {
  name: "split_utf8",
  summary: "a good answer, every multi-byte character cut in chunks",
  uses: ["successText", "chunkSize"],
  outcome: "completed",
  stream({ voice, settings }) {
    const body = streamBytes(framesOf(voice.events(wideTurn(settings))))
    return streamOf(voice, chunkSteps(body, placesInCharacters(body.bytes)))
  },
  reply: ({ voice, settings }) => chunkedReply(voice.reply(wideTurn(settings)), placesInCharacters)
}
