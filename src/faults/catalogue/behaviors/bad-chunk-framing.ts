import type { BodyStep } from "../../../domain/body-step.ts"
import { bodyOf, eventSteps, firstHalf, streamOf } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

const badSize: BodyStep = { kind: "bytes", bytes: "not-a-size\r\n", events: 0, isUnframed: true }

/** The announcement of an answer (JSON: its first half), and then a line that should be the size of a chunk. */
export const badChunkFraming: Behavior = {
  name: "bad_chunk_framing",
  summary: "an invalid chunk size behind the first event",
  uses: ["successText"],
  outcome: "reset",
  stream: ({ voice }) => streamOf(voice, [...eventSteps([voice.announcement()]), badSize], { ending: "fin" }),
  reply: ({ voice, settings }) =>
    bodyOf(firstHalf(voice.reply(textTurn(settings))), { after: [badSize], ending: "fin" })
}
