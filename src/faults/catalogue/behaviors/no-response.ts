import { headless } from "../answers.ts"
import type { Behavior } from "../behavior.ts"

/** The request is read, and nothing ever comes back. */
export const noResponse: Behavior = {
  name: "no_response",
  summary: "no byte, for as long as the client waits",
  uses: [],
  outcome: "stalled",
  stream: () => headless("stall"),
  reply: () => headless("stall")
}
