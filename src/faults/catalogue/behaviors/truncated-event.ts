import { bodyOf, eventSteps, framesOf, streamOf } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

/** A stream whose last event lacks its blank line, or a JSON reply that lacks its last byte. */
export const truncatedEvent: Behavior = {
  name: "truncated_event",
  summary: "a clean end before the last blank line",
  uses: ["successText", "chunkSize"],
  outcome: "completed",
  stream({ voice, settings }) {
    const events = voice.events(textTurn(settings))
    const bytes = framesOf(events.slice(-1)).join("").slice(0, -1)
    const steps = [...eventSteps(events.slice(0, -1)), { kind: "bytes", bytes, events: 0 } as const]
    return streamOf(voice, steps, {}, events)
  },
  reply: ({ voice, settings }) => bodyOf(voice.reply(textTurn(settings)).slice(0, -1))
}
