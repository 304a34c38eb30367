import { bodyOf, jsonHeaders, lastPieceAt, plainStream } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

/** A good answer, and text behind its end (JSON: a second reply). */
export const dataAfterDone: Behavior = {
  name: "data_after_done",
  summary: "more text behind the end of a good answer",
  uses: ["successText", "partialText", "chunkSize"],
  outcome: "completed",
  stream({ voice, settings }) {
    const partial = voice.events(textTurn(settings, { text: settings.partialText }))
    const late = partial.filter(({ role }, at) => role === "delta" || at === lastPieceAt(partial))
    return plainStream(voice, [...voice.events(textTurn(settings)), ...late])
  },
  reply({ voice, settings }) {
    const text = `${voice.reply(textTurn(settings))}${voice.reply(textTurn(settings, { text: settings.partialText }))}`
    return bodyOf(text, { headers: jsonHeaders(text) })
  }
}
