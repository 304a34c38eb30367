import { expectationLabel } from "../observation/labels.ts"
import type { Done, Observations } from "../observation/observations.ts"
import { request } from "./ask.ts"
import { barrierName, type Command } from "./command.ts"
import { knownAnswer } from "./script.ts"
import { set } from "./settings.ts"
import { isUnsettled, type ModelExpectation, type ModelState } from "./state.ts"
import type { Difference } from "./walk.ts"

/** Carries one command out in the model, and compares what it did at once. */
export const apply = (model: ModelState, observations: Observations, done: Done): ReadonlyArray<Difference> => {
  const { command, at } = done
  switch (command.type) {
    case "register":
      return register(model, command, done)
    case "misregister":
      return done.error === null ? [{ laws: [8], text: "a bad registration was taken" }] : []
    case "request":
    case "stray":
    case "resource":
      return request(model, command, { observations, done })
    case "omitted":
      return []
    case "disconnect":
      return leave(model, command.exchange, at)
    case "read":
      return read(model, command.exchange, at)
    case "release":
    case "dispose":
      return release(numbered(model, command.expectation), command.type === "release" ? command.barrier : null, done)
    case "retire":
      retire(numbered(model, command.expectation))
      return []
    default:
      set(model, command, at)
      return []
  }
}

const numbered = ({ expectations }: ModelState, number: number): ModelExpectation | undefined =>
  expectations.find((expectation) => expectation.number === number)

const register = (
  model: ModelState,
  command: Extract<Command, { type: "register" }>,
  { error, number }: Done
): ReadonlyArray<Difference> => {
  const { name, matcher, script, barriers } = command
  const isTaken = model.expectations.some((other) => other.name === name && isUnsettled(other))
  if (isTaken !== (error !== null)) {
    const text = `registering "${name}" ${error === null ? "succeeded" : "failed"}, and the name was ${isTaken ? "taken" : "free"}`
    return [{ laws: [7, 29], text }]
  }
  if (isTaken) return []
  model.expectations.push({
    number,
    name,
    matcher,
    barriers,
    answer: knownAnswer(script, expectationLabel(number), model.setup.profile),
    openedAt: new Map(),
    state: "pending",
    fingerprint: null,
    copies: []
  })
  return []
}

const leave = (model: ModelState, exchange: number, at: number): ReadonlyArray<Difference> => {
  const copy = model.copies.find((candidate) => candidate.exchange === exchange)
  if (copy === undefined || copy.isOver) return []
  copy.isOver = true
  copy.settled ??= { as: "cancelled", at }
  return []
}

const read = (model: ModelState, exchange: number, at: number): ReadonlyArray<Difference> => {
  const copy = model.copies.find((candidate) => candidate.exchange === exchange)
  if (copy === undefined) return []
  copy.unread = 0
  if (copy.parked !== "reader") return []
  copy.parked = null
  copy.due = at
  copy.dueBy = "read"
  copy.silentSince = at
  return []
}

const release = (
  expectation: ModelExpectation | undefined,
  barrier: string | null,
  { at, error }: Done
): ReadonlyArray<Difference> => {
  if (expectation === undefined) return []
  const names = expectation.barriers.map(barrierName)
  const isKnown = barrier === null || names.includes(barrier)
  if (isKnown !== (error === null)) return [{ laws: [18], text: `release of ${barrier} gave ${error}` }]
  for (const name of names) {
    if ((barrier === null || name === barrier) && !expectation.openedAt.has(name)) expectation.openedAt.set(name, at)
  }
  return []
}

const retire = (expectation: ModelExpectation | undefined): void => {
  if (expectation?.state === "pending") expectation.state = "retired"
}
