import type { Moment, Observations } from "../observation/observations.ts"
import { accountOf, broken, type Invariant, isFor, isPendingAt, type Registered, say } from "./account.ts"
import { allOf, modelAgrees } from "./model-agrees.ts"

const momentsOf = ({ commands, end }: Observations): ReadonlyArray<Moment> => [
  ...commands.flatMap(({ before, after }) => [before, after]),
  end.moment
]

/** 1. No expectation is claimed as primary more than once. */
export const onePrimary: Invariant = (_, observations) => {
  for (const expectation of accountOf(observations).expectations) {
    const { primaries } = expectation
    if (primaries.length > 1)
      broken(`${primaries.map(say.request).join(" and ")} claimed ${say.expectation(expectation)}`)
  }
}

/** 2. What is registered and no longer pending was claimed by as many primaries, or taken back. */
export const conservation: Invariant = (_, observations) => {
  const { expectations, requests } = accountOf(observations)
  for (const { traceIndex, phases } of momentsOf(observations)) {
    const isIn = (phase: string) => (expectation: Registered) => phases[expectation.expectation] === phase
    const registered = expectations.filter(({ registeredIndex }) => registeredIndex < traceIndex)
    const taken =
      registered.length - registered.filter(isIn("Pending")).length - registered.filter(isIn("Retired")).length
    const primaries = requests.filter(({ source, askedIndex }) => source === "expectation" && askedIndex < traceIndex)
    if (taken !== primaries.length) broken(`${taken} expectations are gone and ${primaries.length} requests took one`)
  }
}

/** 3. Expectations with equal matchers are claimed in the order of their registration. */
export const registrationOrder: Invariant = (_, observations) => {
  const { expectations, requests } = accountOf(observations)
  for (const request of requests.filter(({ source }) => source === "expectation")) {
    const claimed = expectations.find(({ expectation }) => expectation === request.expectation)
    const older = expectations.find(
      (expectation) =>
        expectation.registeredIndex < (claimed?.registeredIndex ?? 0) &&
        isFor(expectation, request) &&
        isPendingAt(expectation, request.askedIndex)
    )
    if (older !== undefined) {
      broken(
        `${say.request(request)} claimed expectation ${request.expectation} while ${say.expectation(older)} was pending`
      )
    }
  }
}

/** 4. A matched answer is for the endpoint and kind of its request, which changes no expectation for another. */
export const exactMatch: Invariant = (_, observations) => {
  const { expectations, requests, commands } = accountOf(observations)
  for (const request of requests) {
    for (const expectation of expectations) {
      if (isFor(expectation, request)) continue
      const at = expectation.expectation
      const { before, after } = commands[request.command] ?? {}
      const isUntouched = before?.phases[at] === after?.phases[at] && before?.claims[at] === after?.claims[at]
      if (request.expectation === at || !isUntouched) {
        broken(`${say.request(request)} is not for ${say.expectation(expectation)} and changed it`)
      }
    }
  }
}

/** 5. While a matching expectation is pending, a request that is no replay is answered from one. */
export const noBypass: Invariant = (_, observations) => {
  const { expectations, requests } = accountOf(observations)
  for (const request of requests) {
    if (request.source === "replay" || request.source === "expectation") continue
    const passed = expectations.find(
      (expectation) => isFor(expectation, request) && isPendingAt(expectation, request.askedIndex)
    )
    if (passed !== undefined) broken(`${say.request(request)} got ${request.source} past ${say.expectation(passed)}`)
  }
}

/** 4.1 of the specification. What cannot be served is refused where it is registered. */
export const badScriptsFail: Invariant = modelAgrees(8)

const unsettled: ReadonlyArray<unknown> = ["Pending", "Received", "Blocked"]

/** 7. At any time the names of unsettled expectations are different; a settled one's is free. */
export const distinctNames: Invariant = allOf((_, observations) => {
  const { expectations } = accountOf(observations)
  for (const { phases } of momentsOf(observations)) {
    const used = expectations.filter(({ expectation }) => unsettled.includes(phases[expectation]))
    const twice = used.find((one) => used.some((other) => other !== one && other.name === one.name))
    if (twice !== undefined) broken(`the name "${twice.name}" belongs to two unsettled expectations`)
  }
}, modelAgrees(7))
