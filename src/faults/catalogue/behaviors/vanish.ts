import { bodyOf, firstHalf, jsonHeaders, plainStream, upToLastDelta } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

/** Some text, and the peer is gone without a word: nothing is sent or read any more. */
export const vanish: Behavior = {
  name: "vanish",
  summary: "nothing is sent or read any more in the middle of the text",
  uses: ["partialText", "chunkSize"],
  outcome: "stalled",
  stream: ({ voice, settings }) =>
    plainStream(voice, upToLastDelta(voice.events(textTurn(settings, { text: settings.partialText }))), {
      ending: "vanish"
    }),
  reply({ voice, settings }) {
    const text = voice.reply(textTurn(settings, { text: settings.partialText }))
    return bodyOf(firstHalf(text), { headers: jsonHeaders(text), ending: "vanish" })
  }
}
