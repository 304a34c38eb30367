import { bodyOf, firstHalf, jsonHeaders, plainStream, upToLastDelta } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

/** Some text, and then nothing for as long as the client waits. */
export const partialStall: Behavior = {
  name: "partial_stall",
  summary: "silence in the middle of the text",
  uses: ["partialText", "chunkSize"],
  outcome: "stalled",
  stream: ({ voice, settings }) =>
    plainStream(voice, upToLastDelta(voice.events(textTurn(settings, { text: settings.partialText }))), {
      ending: "stall"
    }),
  reply({ voice, settings }) {
    const text = voice.reply(textTurn(settings, { text: settings.partialText }))
    return bodyOf(firstHalf(text), { headers: jsonHeaders(text), ending: "stall" })
  }
}
