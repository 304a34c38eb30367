import { bodyOf, plainStream, upToLastDelta } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"
import { serverErrorRow } from "./server-error.ts"

/** Some text, and then the error that a stream carries in band. A JSON reply is that error, with status 200. */
export const errorEvent: Behavior = {
  name: "error_event",
  summary: "an error event in the middle of the text (JSON: an error with status 200)",
  uses: ["partialText", "chunkSize"],
  outcome: "completed",
  stream({ voice, settings }) {
    const events = upToLastDelta(voice.events(textTurn(settings, { text: settings.partialText })))
    return plainStream(voice, [...events, voice.errorEvent(serverErrorRow.message, events.length)])
  },
  reply: ({ voice }) => bodyOf(voice.error(serverErrorRow, null).body)
}
