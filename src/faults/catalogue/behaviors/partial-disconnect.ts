import { beforeDrop, bodyOf, firstHalf, jsonHeaders, slowSteps, streamOf, upToLastDelta } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

/** Some text, and the connection goes away. */
export const partialDisconnect: Behavior = {
  name: "partial_disconnect",
  summary: "the connection is dropped in the middle of the text",
  uses: ["partialText", "chunkSize", "chunkDelayMs", "disconnectDelayMs", "resetMode"],
  outcome: "reset",
  stream({ voice, settings }) {
    const events = upToLastDelta(voice.events(textTurn(settings, { text: settings.partialText })))
    const steps = [...slowSteps(events, settings.chunkDelayMs), beforeDrop(settings)]
    return streamOf(voice, steps, { ending: settings.resetMode })
  },
  reply({ voice, settings }) {
    const text = voice.reply(textTurn(settings, { text: settings.partialText }))
    return bodyOf(firstHalf(text), {
      headers: jsonHeaders(text),
      after: [beforeDrop(settings)],
      ending: settings.resetMode
    })
  }
}
