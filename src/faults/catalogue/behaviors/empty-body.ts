import { bodyOf, streamOf } from "../answers.ts"
import type { Behavior } from "../behavior.ts"

/** Status 200 and a body of no bytes. */
export const emptyBody: Behavior = {
  name: "empty_body",
  summary: "status 200 and no body",
  uses: [],
  outcome: "completed",
  stream: ({ voice }) => streamOf(voice, []),
  reply: () => bodyOf("")
}
