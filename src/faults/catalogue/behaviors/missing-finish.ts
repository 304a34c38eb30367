import { bodyOf, jsonHeaders, plainStream } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"
import type { VoiceEvent } from "../voice.ts"

/** Where no event of its own says how the answer finished, the first of the last ones does. */
const withoutFinish = (events: ReadonlyArray<VoiceEvent>): ReadonlyArray<VoiceEvent> => {
  if (events.some(({ role }) => role === "finish")) return events.filter(({ role }) => role !== "finish")
  const last = events.findIndex(({ role }) => role === "last")
  return events.filter((_, at) => at !== last)
}

const finishMembers: ReadonlySet<string> = new Set(["finish_reason", "stop_reason", "status"])

const unfinished = (reply: string): string =>
  JSON.stringify(JSON.parse(reply), (name, value) => (finishMembers.has(name) ? undefined : value))

/** A whole text, and not a word on how the answer finished. */
export const missingFinish: Behavior = {
  name: "missing_finish",
  summary: "a whole text without a finish reason",
  uses: ["successText", "chunkSize"],
  outcome: "completed",
  stream: ({ voice, settings }) => plainStream(voice, withoutFinish(voice.events(textTurn(settings)))),
  reply({ voice, settings }) {
    const text = unfinished(voice.reply(textTurn(settings)))
    return bodyOf(text, { headers: jsonHeaders(text) })
  }
}
