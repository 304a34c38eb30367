import { bodyOf, plainStream } from "../answers.ts"
import type { Behavior } from "../behavior.ts"

/** An event whose data is no JSON. */
export const malformedJson: Behavior = {
  name: "malformed_json",
  summary: "data that is not JSON",
  uses: [],
  outcome: "completed",
  stream: ({ voice }) => plainStream(voice, voice.around([voice.malformedEvent("json")])),
  reply: () => bodyOf("{not-json")
}
