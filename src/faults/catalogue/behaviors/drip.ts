import { piecesMax } from "../../../domain/answer-size.ts"
import type { BodyStep } from "../../../domain/body-step.ts"
import type { FaultSettings } from "../../../domain/fault-options.ts"
import { bodyOf, chunkSteps, framesOf, jsonHeaders, type StreamBytes, streamBytes, streamOf } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

const byteByByte = (body: StreamBytes, { chunkDelayMs: ms }: FaultSettings): ReadonlyArray<BodyStep> => {
  const wait: BodyStep = { kind: "wait", ms }
  const places = Array.from(body.bytes.keys()).slice(1, piecesMax)
  return chunkSteps(body, places).flatMap((step, at) => (at === 0 ? [step] : [wait, step]))
}

/** A good answer, each byte by itself with a pause before the next. Long texts are refused where options are checked. */
export const drip: Behavior = {
  name: "drip",
  summary: "a good answer, byte by byte",
  uses: ["successText", "chunkSize", "chunkDelayMs"],
  outcome: "completed",
  stream: ({ voice, settings }) =>
    streamOf(voice, byteByByte(streamBytes(framesOf(voice.events(textTurn(settings)))), settings)),
  reply({ voice, settings }) {
    const text = voice.reply(textTurn(settings))
    const { bytes } = streamBytes([text])
    return bodyOf("", { headers: jsonHeaders(text), before: byteByByte({ bytes, ends: [] }, settings) })
  }
}
