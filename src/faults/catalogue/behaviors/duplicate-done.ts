import { bodyOf, jsonHeaders, plainStream } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

/** A good answer that ends twice (JSON: its last byte comes twice). */
export const duplicateDone: Behavior = {
  name: "duplicate_done",
  summary: "a good answer whose last event comes twice",
  uses: ["successText", "chunkSize"],
  outcome: "completed",
  stream({ voice, settings }) {
    const events = voice.events(textTurn(settings))
    return plainStream(voice, [...events, ...events.slice(-1)])
  },
  reply({ voice, settings }) {
    const reply = voice.reply(textTurn(settings))
    const text = `${reply}${reply.slice(-1)}`
    return bodyOf(text, { headers: jsonHeaders(text) })
  }
}
