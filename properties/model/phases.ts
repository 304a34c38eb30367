import type { Phase } from "../../src/domain/phase.ts"
import type { Done, Moment } from "../observation/observations.ts"
import { activeCopies, type ModelExpectation, type ModelState } from "./state.ts"
import type { Difference } from "./walk.ts"

/**
 * Compares the phase and the claims of every handle with what the model allows at this moment.
 *
 * **Source** inference-server.md, sections 4.4 and 4.6
 */
export const expectedPhases = (
  model: ModelState,
  moment: Moment,
  time: Pick<Done, "at" | "isQuiet">
): ReadonlyArray<Difference> =>
  model.expectations.flatMap((expectation): ReadonlyArray<Difference> => {
    if (expectation.copies.some((copy) => copy.isLost)) return []
    const phase = moment.phases[expectation.number]
    const claims = moment.claims[expectation.number]
    const allowed = phasesOf(expectation, time)
    const name = `expectation ${expectation.number} "${expectation.name}"`
    const isAllowed = allowed.some((one) => one === phase)
    const wrongPhase = isAllowed
      ? []
      : [{ laws: lawsOf(allowed, phase), text: `${name} is ${phase} and not ${allowed.join(" or ")}` }]
    const wrongClaims =
      claims === expectation.copies.length
        ? []
        : [{ laws: [15], text: `${name} has ${claims} claims and not ${expectation.copies.length}` }]
    return [...wrongPhase, ...wrongClaims]
  })

const phasesOf = (
  expectation: ModelExpectation,
  { at, isQuiet }: Pick<Done, "at" | "isQuiet">
): ReadonlyArray<Phase> => {
  if (expectation.state === "pending") return ["Pending"]
  if (expectation.state === "retired") return ["Retired"]
  const primary = expectation.copies[0]
  if (activeCopies(expectation).length === 0) {
    return primary?.settled?.as === "crossed" ? ["Satisfied"] : ["Abandoned"]
  }
  const barredAt = primary?.barredAt ?? Number.POSITIVE_INFINITY
  const end = primary?.settled?.as === "cancelled" ? primary.settled.at : null
  if (end !== null && barredAt === end) return ["Received", "Blocked"]
  const limit = end ?? at
  if (barredAt < limit || (end === null && barredAt === at && isQuiet)) return ["Blocked"]
  return barredAt === limit ? ["Received", "Blocked"] : ["Received"]
}

const lawsOf = (allowed: ReadonlyArray<Phase>, seen: Phase | null | undefined): ReadonlyArray<number> => {
  if (allowed.includes("Satisfied") || seen === "Satisfied") return [21]
  return allowed.includes("Abandoned") || seen === "Abandoned" ? [21, 23] : [22]
}
