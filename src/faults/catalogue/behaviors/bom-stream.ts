import type { BodyStep } from "../../../domain/body-step.ts"
import { bodyOf, framesOf, jsonHeaders, streamOf } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

const mark = "\ufeff"

/** A good answer behind a byte-order mark. */
export const bomStream: Behavior = {
  name: "bom_stream",
  summary: "a good answer behind a byte-order mark",
  uses: ["successText", "chunkSize"],
  outcome: "completed",
  stream({ voice, settings }) {
    const events = voice.events(textTurn(settings))
    const steps = framesOf(events).map(
      (frame, at): BodyStep => ({ kind: "event", frame: at === 0 ? `${mark}${frame}` : frame })
    )
    return streamOf(voice, steps, {}, events)
  },
  reply({ voice, settings }) {
    const text = `${mark}${voice.reply(textTurn(settings))}`
    return bodyOf(text, { headers: jsonHeaders(text) })
  }
}
