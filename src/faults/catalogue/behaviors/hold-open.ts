import { bodyOf, turnStream } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

/** A whole answer, and an end of the body that never comes. */
export const holdOpen: Behavior = {
  name: "hold_open",
  summary: "a good answer whose body never ends",
  uses: ["successText", "chunkSize"],
  outcome: "stalled",
  stream: (context) => turnStream(context, textTurn(context.settings), { ending: "stall" }),
  // Without a length, or the client would know that it has all.
  reply: ({ voice, settings }) => bodyOf(voice.reply(textTurn(settings)), { ending: "stall" })
}
