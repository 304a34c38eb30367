import { bodyOf, turnStream } from "../answers.ts"
import type { Behavior } from "../behavior.ts"
import { textTurn } from "../turns.ts"

/** The right bytes under the wrong content type. */
export const wrongContentType: Behavior = {
  name: "wrong_content_type",
  summary: "a stream labelled as JSON, or JSON labelled as a stream",
  uses: ["successText", "chunkSize"],
  outcome: "completed",
  stream: (context) =>
    turnStream(context, textTurn(context.settings), {
      headers: context.voice.streamHeaders.map(([name, value]) =>
        name === "content-type" ? [name, "application/json"] : [name, value]
      )
    }),
  reply: ({ voice, settings }) =>
    bodyOf(voice.reply(textTurn(settings)), { headers: [["content-type", "text/event-stream; charset=utf-8"]] })
}
