import type { VirtualServer } from "../../src/sim.ts"
import type { History } from "../model/command.ts"
import { runHistory, startFor } from "../observation/run-history.ts"
import { broken } from "./account.ts"

const resentMax = 8
const mark = "x-resent"

/**
 * 26. Whoever sees the end of a call and at once sends the identical request gets a new claim or a later source, never a
 * replay.
 *
 * **Gives** how many requests were sent again
 */
export const freeWhenSeen = async (history: History): Promise<number> => {
  let again = 0
  const observations = await runHistory(history, {
    start(started) {
      const virtual = startFor(started)
      virtual.server.watchTrace((event) => {
        const isEnd = event.type === "phase" && (event.phase === "Satisfied" || event.phase === "Abandoned")
        if (isEnd && again < resentMax && resend(virtual, event.expectation)) again++
      })
      return virtual
    }
  })
  for (const entry of observations.log) {
    if (entry.header(mark) !== undefined && entry.answer.source === "replay") {
      broken(`request ${entry.number}, sent when "${entry.header(mark)}" had ended, joined a call`)
    }
  }
  return again
}

/** Sends the request again that claimed an expectation, from within the step that ends it. */
const resend = ({ server, http }: VirtualServer, name: string): boolean => {
  const claiming = server
    .requests()
    .findLast(({ answer }) => answer.source === "expectation" && answer.expectation === name)
  if (claiming === undefined) return false
  const { method, path, headers, body } = claiming
  try {
    http.connect().request({ method, target: path, headers: [...headers, [mark, name]], body: JSON.stringify(body) })
    return true
  } catch {
    // The server is closing.
    return false
  }
}
