import type { BodyStep } from "../../../domain/body-step.ts"
import { bodyOf, crlfJson, framesOf, jsonHeaders, streamOf } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

/** A good answer in lines that end in CR and LF. */
export const crlfStream: Behavior = {
  name: "crlf_stream",
  summary: "a good answer with CRLF line ends",
  uses: ["successText", "chunkSize"],
  outcome: "completed",
  stream({ voice, settings }) {
    const events = voice.events(textTurn(settings))
    const steps = framesOf(events, "crlf").map((frame): BodyStep => ({ kind: "event", frame }))
    return streamOf(voice, steps, {}, events)
  },
  reply({ voice, settings }) {
    const text = crlfJson(voice.reply(textTurn(settings)))
    return bodyOf(text, { headers: jsonHeaders(text) })
  }
}
