import { bodyOf, plainStream } from "../answers.ts"
import type { Behavior } from "../behavior.ts"

/** An event whose data is JSON of a wrong shape. */
export const malformedEvent: Behavior = {
  name: "malformed_event",
  summary: "data that is JSON of a wrong shape",
  uses: [],
  outcome: "completed",
  stream: ({ voice }) => plainStream(voice, voice.around([voice.malformedEvent("shape")])),
  reply: ({ voice }) => bodyOf(voice.malformedReply())
}
