import { lastPieceAt, plainStream, turnReply } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { piecewiseTurn, textTurn } from "../turns.ts"

/** A good answer whose last piece of text comes twice. */
export const repeatedEvent: Behavior = {
  name: "repeated_event",
  summary: "a good answer with a piece of text twice",
  uses: ["successText", "chunkSize"],
  outcome: "completed",
  stream({ voice, settings }) {
    const events = voice.events(textTurn(settings))
    const at = lastPieceAt(events)
    return plainStream(voice, [...events.slice(0, at + 1), ...events.slice(at)])
  },
  reply: (context) =>
    turnReply(
      context,
      piecewiseTurn(context.settings, (pieces) => [...pieces, ...pieces.slice(-1)])
    )
}
