import { headless } from "../answers.ts"
import type { Behavior, FaultContext } from "../behavior.ts"

const answer = ({ settings }: FaultContext) => headless(settings.resetMode)

/** The request is read whole, and the connection goes away. */
export const connectionReset: Behavior = {
  name: "connection_reset",
  summary: "the connection is dropped before any byte",
  uses: ["resetMode"],
  outcome: "reset",
  stream: answer,
  reply: answer
}
