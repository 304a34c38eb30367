import { bodyOf, plainStream } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

/** A stream that announces an answer and ends cleanly before saying anything. */
export const streamEof: Behavior = {
  name: "stream_eof",
  summary: "a clean end after the announcement of an answer",
  uses: [],
  outcome: "completed",
  stream: ({ voice }) => plainStream(voice, [voice.announcement()]),
  reply: ({ voice, settings }) => bodyOf(voice.reply(textTurn(settings)).slice(0, 1))
}
