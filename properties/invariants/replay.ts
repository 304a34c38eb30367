import type { Observations } from "../observation/observations.ts"
import {
  type Answered,
  accountOf,
  bodyOf,
  broken,
  copiesOf,
  type Invariant,
  indexOfPhase,
  isActiveAt,
  isComplete,
  liveBefore,
  say
} from "./account.ts"
import { allOf, modelAgrees } from "./model-agrees.ts"

const replaysOf = (observations: Observations): ReadonlyArray<Answered> =>
  accountOf(observations).requests.filter(({ source }) => source === "replay")

/** 9. A request is a replay exactly when its fingerprint has a live call, and then of that call. */
export const overlap: Invariant = allOf((_, observations) => {
  const account = accountOf(observations)
  for (const request of account.requests) {
    const live = liveBefore(account, request)
    const joined = request.source === "replay" ? request.expectation : undefined
    if (joined === live?.expectation) continue
    broken(
      `${say.request(request)} got ${request.source}; live was ${live === undefined ? "nothing" : say.expectation(live)}`
    )
  }
}, modelAgrees(9))

/** 11. A replay that is read to the end has status, headers and body of every complete copy of its call. */
export const fidelity: Invariant = allOf((_, observations) => {
  for (const expectation of accountOf(observations).expectations) {
    const [first, ...others] = copiesOf(expectation).filter(isComplete)
    for (const other of others) {
      if (first === undefined || answerOf(first) === answerOf(other)) continue
      broken(`${say.request(other)} got ${answerOf(other)}\nand ${say.request(first)} got ${answerOf(first)}`)
    }
  }
}, modelAgrees(11))

const answerOf = (request: Answered): string => JSON.stringify([request.status, request.headers, bodyOf(request)])

/** 12. Once all copies of a call have settled, no request joins it. */
export const retirement: Invariant = (_, observations) => {
  for (const request of replaysOf(observations)) {
    const expectation = accountOf(observations).expectations.find((one) => one.expectation === request.expectation)
    const isLive =
      expectation !== undefined && copiesOf(expectation).some((copy) => isActiveAt(copy, request.askedIndex))
    if (!isLive) broken(`${say.request(request)} joined a call without an active copy`)
  }
}

/** 13. Requests without a fingerprint are never replays and are never joined. */
export const noIdentity: Invariant = (_, observations) => {
  const { expectations } = accountOf(observations)
  for (const request of replaysOf(observations)) {
    const primary = expectations.find((one) => one.expectation === request.expectation)?.primaries[0]
    const isShared = request.fingerprint !== null && primary?.fingerprint === request.fingerprint
    if (!isShared) broken(`${say.request(request)} is a replay of another call than its own`)
  }
}

/** 14. There is at most one live call for each fingerprint. */
export const uniqueCall: Invariant = (_, observations) => {
  const account = accountOf(observations)
  for (const request of account.requests.filter(({ source }) => source === "expectation")) {
    const live = liveBefore(account, request)
    if (live !== undefined) broken(`${say.request(request)} began a second call beside ${say.expectation(live)}`)
  }
}

/** 15. Claims are one for the primary and one for each join, and every copy settles once. */
export const accounting: Invariant = allOf((_, observations) => {
  const { expectations, requests, commands } = accountOf(observations)
  for (const { before } of commands) {
    for (const expectation of expectations) {
      const claims = copiesOf(expectation).filter(({ askedIndex }) => askedIndex < before.traceIndex).length
      const told = before.claims[expectation.expectation]
      if (told !== undefined && told !== claims)
        broken(`${say.expectation(expectation)} has ${told} claims, not ${claims}`)
    }
  }
  for (const request of requests) {
    const settled = observations.trace.filter((fact) => fact.type === "settled" && fact.request === request.number)
    if (settled.length !== 1) broken(`${say.request(request)} settled ${settled.length} times`)
  }
}, modelAgrees(15))

/** 26. Nobody joins a call whose handle already shows its end. */
export const freeAfterSatisfied: Invariant = (_, observations) => {
  for (const request of replaysOf(observations)) {
    const expectation = accountOf(observations).expectations.find((one) => one.expectation === request.expectation)
    if (expectation === undefined) continue
    if (indexOfPhase(expectation, "Satisfied", "Abandoned") < request.askedIndex) {
      broken(`${say.request(request)} joined ${say.expectation(expectation)} after its end`)
    }
  }
}
