import type { Observations } from "../observation/observations.ts"
import { accountOf, broken, type Invariant, say } from "./account.ts"
import { allOf, modelAgrees } from "./model-agrees.ts"

/** 38. After `close` every copy has settled, no timer, connection or wait is left, and connections are refused. */
export const cleanClose: Invariant = allOf((_, observations) => {
  const { end, waits } = observations
  const closedBy = endOf(observations)
  if (!end.isClosed) broken("close has not resolved")
  if ((end.closedAt ?? 0) > closedBy) broken(`close took until ${end.closedAt} ms`)
  if (end.armedTimers > 0) broken(`${end.armedTimers} timers are left`)
  if (end.connections > 0) broken(`${end.connections} connections are left`)
  if (!end.isRefusing) broken("connections are still accepted")
  for (const request of accountOf(observations).requests) {
    if (request.settled === null) broken(`${say.request(request)} has not settled`)
  }
  const waiting = waits.find(({ outcome }) => outcome === "waiting")
  if (waiting !== undefined) broken(`a wait for ${waiting.wanted} on expectation ${waiting.expectation} was left`)
  const cut = cutCount(observations)
  if (cut !== end.blocked.length)
    broken(`${cut} answers were cut, and close tells of ${end.blocked.join("; ") || "none"}`)
}, modelAgrees(38))

/** When the first close, or a later one that does not wait, must be over. */
const endOf = ({ commands }: Observations): number => {
  const ends = commands.flatMap(({ command, at }) =>
    command.type === "close" ? [{ at, drainMs: command.drainMs }] : []
  )
  return Math.min(
    ...ends.filter(({ drainMs }, index) => index === 0 || drainMs === 0).map(({ at, drainMs }) => at + drainMs)
  )
}

/** Answers that the server ended itself. */
const cutCount = ({ exchanges }: Observations): number =>
  exchanges.filter((exchange) => exchange?.ended?.how === "fin").length

/** A stream that is silent for 15 s says something, and nothing says anything else unasked (section 1.2). */
export const keepAlive: Invariant = modelAgrees(0)
