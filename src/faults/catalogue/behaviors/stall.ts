import { bodyOf, jsonHeaders, streamOf } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

/** A head, and then nothing for as long as the client waits. */
export const stall: Behavior = {
  name: "stall",
  summary: "silence after the head",
  uses: [],
  outcome: "stalled",
  stream: ({ voice }) => streamOf(voice, [], { ending: "stall" }),
  reply: ({ voice, settings }) => bodyOf("", { headers: jsonHeaders(voice.reply(textTurn(settings))), ending: "stall" })
}
