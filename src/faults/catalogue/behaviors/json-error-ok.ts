import { bodyOf } from "../answers.ts"
import type { Behavior, FaultContext } from "../behavior.ts"
import { serverErrorRow } from "./server-error.ts"

const answer = ({ voice }: FaultContext) => bodyOf(voice.error(serverErrorRow, null).body)

/** An error in the body of an answer that says it is none. */
export const jsonErrorOk: Behavior = {
  name: "json_error_ok",
  summary: "status 200 and a JSON error",
  uses: [],
  outcome: "completed",
  stream: answer,
  reply: answer
}
