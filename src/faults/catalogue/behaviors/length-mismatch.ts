import { bodyOf, framesOf, jsonHeaders, plainStream, streamBytes } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

const lengthOf = (byteLength: number) => ["content-length", String(byteLength)] as const

/** A good answer that announces one byte more than it has. */
export const lengthMismatch: Behavior = {
  name: "length_mismatch",
  summary: "a content-length of one byte too many",
  uses: ["successText", "chunkSize"],
  outcome: "reset",
  stream({ voice, settings }) {
    const events = voice.events(textTurn(settings))
    const { byteLength } = streamBytes(framesOf(events)).bytes
    return plainStream(voice, events, { headers: [...voice.streamHeaders, lengthOf(byteLength + 1)], ending: "fin" })
  },
  reply({ voice, settings }) {
    const text = voice.reply(textTurn(settings))
    const longer = `${text} `
    return bodyOf(text, { headers: jsonHeaders(longer), ending: "fin" })
  }
}
