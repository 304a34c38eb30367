import { bodyOf } from "../answers.ts"
import type { Behavior } from "../behavior.ts"

const answer = () => bodyOf("", { status: 307, headers: [["location", "/v1/elsewhere"]] })

/** The answer is said to be elsewhere, on this server, where it is not. */
export const redirect: Behavior = {
  name: "redirect",
  summary: "307 to another path",
  uses: [],
  outcome: "completed",
  stream: answer,
  reply: answer
}
