import { bodyOf, firstHalf, jsonHeaders, plainStream, upToLastDelta } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

/** Some text, and our side of the connection ends while the other stays open. */
export const halfClose: Behavior = {
  name: "half_close",
  summary: "our side ends in the middle of the text, and goes on reading",
  uses: ["partialText", "chunkSize"],
  outcome: "reset",
  stream: ({ voice, settings }) =>
    plainStream(voice, upToLastDelta(voice.events(textTurn(settings, { text: settings.partialText }))), {
      ending: "halfClose"
    }),
  reply({ voice, settings }) {
    const text = voice.reply(textTurn(settings, { text: settings.partialText }))
    return bodyOf(firstHalf(text), { headers: jsonHeaders(text), ending: "halfClose" })
  }
}
