import { chunkedReply, chunkSteps, framesOf, type StreamBytes, streamBytes, streamOf } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

const middles = ({ ends }: StreamBytes): ReadonlyArray<number> =>
  ends.map((end, at) => Math.floor(((ends[at - 1] ?? 0) + end) / 2))

/** A good answer whose chunks end in the middle of its events: each but the last ends one event and begins another. */
export const splitFrames: Behavior = {
  name: "split_frames",
  summary: "a good answer, every event cut in two chunks",
  uses: ["successText", "chunkSize"],
  outcome: "completed",
  stream({ voice, settings }) {
    const body = streamBytes(framesOf(voice.events(textTurn(settings))))
    return streamOf(voice, chunkSteps(body, middles(body)))
  },
  reply: ({ voice, settings }) =>
    chunkedReply(voice.reply(textTurn(settings)), ({ byteLength }) => [Math.floor(byteLength / 2)])
}
