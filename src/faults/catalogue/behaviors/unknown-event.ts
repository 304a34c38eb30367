import { bodyOf, jsonHeaders, plainStream } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

/** A good answer with an event that nobody knows in the middle of its text (JSON: with such a member). */
export const unknownEvent: Behavior = {
  name: "unknown_event",
  summary: "an event of an unknown type in a good answer",
  uses: ["successText", "chunkSize"],
  outcome: "completed",
  stream({ voice, settings }) {
    const events = voice.events(textTurn(settings))
    const deltas = events.flatMap(({ role }, at) => (role === "delta" ? [at] : []))
    const at = (deltas[Math.floor((deltas.length - 1) / 2)] ?? 0) + 1
    return plainStream(voice, [...events.slice(0, at), voice.unknownEvent(), ...events.slice(at)])
  },
  reply({ voice, settings }) {
    const text = `${voice.reply(textTurn(settings)).slice(0, -1)},"mock_unknown":true}`
    return bodyOf(text, { headers: jsonHeaders(text) })
  }
}
