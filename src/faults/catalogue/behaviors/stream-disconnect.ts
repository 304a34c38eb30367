import { beforeDrop, bodyOf, jsonHeaders, streamOf } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

/** A head, silence, and the connection goes away. */
export const streamDisconnect: Behavior = {
  name: "stream_disconnect",
  summary: "the connection is dropped after the head",
  uses: ["disconnectDelayMs", "resetMode"],
  outcome: "reset",
  stream: ({ voice, settings }) => streamOf(voice, [beforeDrop(settings)], { ending: settings.resetMode }),
  reply: ({ voice, settings }) =>
    bodyOf("", {
      headers: jsonHeaders(voice.reply(textTurn(settings))),
      after: [beforeDrop(settings)],
      ending: settings.resetMode
    })
}
