import { chunkedReply, chunkSteps, crlfJson, framesOf, placesInLineEnds, streamBytes, streamOf } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

/** A good answer in lines that end in CR and LF, with a chunk border between the two. */
export const splitCrlf: Behavior = {
  name: "split_crlf",
  summary: "a good answer, chunk borders between CR and LF",
  uses: ["successText", "chunkSize"],
  outcome: "completed",
  stream({ voice, settings }) {
    const body = streamBytes(framesOf(voice.events(textTurn(settings)), "crlf"))
    return streamOf(voice, chunkSteps(body, placesInLineEnds(body.bytes)))
  },
  reply: ({ voice, settings }) => chunkedReply(crlfJson(voice.reply(textTurn(settings))), placesInLineEnds)
}
