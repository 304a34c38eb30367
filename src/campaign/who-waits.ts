import type { TraceEvent } from "../domain/trace-event.ts"
import { explainWaits } from "../oracles/explain-waits.ts"
import { requestsSettle } from "../oracles/requests-settle.ts"
import { attemptName, callName, requestName } from "../oracles/run-event.ts"
import type { Attempt } from "./watched-clients.ts"

/**
 * Who waits for whom in a run that hangs: requests of clients, and from there what their servers wait for; then calls that have
 * no request under way.
 *
 * **Takes** the names of the calls that have not settled, the requests that are under way, and the traces of all servers in the
 * numbers of the run
 *
 * @since 0.1.0
 * @category reports
 */
export const whoWaits = ({
  calls,
  attempts,
  events
}: {
  readonly calls: ReadonlyArray<string>
  readonly attempts: ReadonlyArray<Attempt>
  readonly events: ReadonlyArray<TraceEvent>
}): ReadonlyArray<string> => {
  const monitor = requestsSettle()
  const state = events.reduce((before, event) => monitor.on(event, before), monitor.init())
  const known = new Set(attempts.map(({ request }) => request))
  const waits = attempts.map((attempt) => ({ who: sayAttempt(attempt), waitsFor: waitedFor(attempt) }))
  const open = (monitor.hot?.(state) ?? []).map(({ who, waitsFor }) => ({ who, waitsFor }))
  // What no client waits for any more may still be a reason: it stands behind what they wait for.
  const reached = open.filter(({ who }) =>
    [...known].some((request) => request !== null && requestName(request) === who)
  )
  const busy = new Set(attempts.map(({ client, call }) => callName({ actor: client, call })))
  const silent = calls.filter((call) => !busy.has(call)).map((who) => ({ who, waitsFor: "its client" }))
  return explainWaits([...waits, ...reached, ...open.filter((one) => !reached.includes(one)), ...silent]).lines
}

/**
 * What clients have not done yet, a line each: calls with the requests that they have under way, and requests of no call.
 *
 * @since 0.1.0
 * @category reports
 */
export const whatGoesOn = ({
  calls,
  attempts
}: {
  readonly calls: ReadonlyArray<string>
  readonly attempts: ReadonlyArray<Attempt>
}): ReadonlyArray<string> => {
  const busy = new Set(attempts.map(({ client, call }) => callName({ actor: client, call })))
  const silent = calls.filter((call) => !busy.has(call))
  return [...attempts.map(sayAttempt), ...silent].map((what) => `${what} was still going on`)
}

const sayAttempt = (attempt: Attempt): string =>
  `${attemptName({ ...attempt, actor: attempt.client })} (${attempt.method} ${attempt.target})`

/** A server that has begun to answer has it, whether or not it tells of its requests. */
const waitedFor = ({ request, status, to }: Attempt): string => {
  if (request !== null) return requestName(request)
  return status === null ? `an answer of ${to}: no mock server has it` : `the rest of the answer of ${to}`
}
