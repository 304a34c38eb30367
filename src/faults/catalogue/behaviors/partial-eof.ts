import { bodyOf, firstHalf, plainStream, upToLastDelta } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

/** Some text, and a clean end without any terminal event. */
export const partialEof: Behavior = {
  name: "partial_eof",
  summary: "a clean end in the middle of the text",
  uses: ["partialText", "chunkSize"],
  outcome: "completed",
  stream: ({ voice, settings }) =>
    plainStream(voice, upToLastDelta(voice.events(textTurn(settings, { text: settings.partialText })))),
  reply: ({ voice, settings }) => bodyOf(firstHalf(voice.reply(textTurn(settings, { text: settings.partialText }))))
}
