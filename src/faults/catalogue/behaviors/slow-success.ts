import { slowSteps, streamOf, turnReply } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { piecesOf, textTurn } from "../turns.ts"

/** A good answer with a pause after each piece. */
export const slowSuccess: Behavior = {
  name: "slow_success",
  summary: "a good answer, slowly",
  uses: ["successText", "chunkSize", "chunkDelayMs"],
  outcome: "completed",
  stream({ voice, settings }) {
    const events = voice.events(textTurn(settings))
    return streamOf(voice, slowSteps(events, settings.chunkDelayMs), {}, events)
  },
  reply(context) {
    const { settings } = context
    const answer = turnReply(context, textTurn(settings))
    const ms = piecesOf(settings.successText, settings).length * settings.chunkDelayMs
    return { ...answer, steps: [{ kind: "wait", ms }, ...answer.steps] }
  }
}
