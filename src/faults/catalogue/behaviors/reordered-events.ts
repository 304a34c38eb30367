import { lastPieceAt, plainStream, turnReply } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { piecewiseTurn, textTurn } from "../turns.ts"
import type { VoiceEvent } from "../voice.ts"

const swapped = <T>(list: ReadonlyArray<T>, at: number): ReadonlyArray<T> => [
  ...list.slice(0, at),
  ...list.slice(at, at + 2).reverse(),
  ...list.slice(at + 2)
]

const reordered = (events: ReadonlyArray<VoiceEvent>): ReadonlyArray<VoiceEvent> => {
  const last = lastPieceAt(events)
  return swapped(events, events[last - 1]?.role === "delta" ? last - 1 : last)
}

/**
 * A good answer whose last two pieces of text change places. Where all the text is one piece, it and the event
 * behind it do.
 */
export const reorderedEvents: Behavior = {
  name: "reordered_events",
  summary: "a good answer with two pieces of text in the wrong order",
  uses: ["successText", "chunkSize"],
  outcome: "completed",
  stream: ({ voice, settings }) => plainStream(voice, reordered(voice.events(textTurn(settings)))),
  reply: (context) =>
    turnReply(
      context,
      piecewiseTurn(context.settings, (pieces) => swapped(pieces, Math.max(0, pieces.length - 2)))
    )
}
