import { expectationLabel, queueLabel } from "../observation/labels.ts"
import type { Done, Observations, SeenExchange } from "../observation/observations.ts"
import { barrierName, type Command } from "./command.ts"
import { decide, type ModelDecision, takeQueued } from "./decide.ts"
import { isHeld } from "./gate.ts"
import { logRequest } from "./log.ts"
import { classOf, fingerprintOf } from "./request.ts"
import { knownAnswer } from "./script.ts"
import { isUnsettled, type ModelCopy, type ModelExpectation, type ModelState } from "./state.ts"
import { stagesOf } from "./timeline.ts"
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

type Sending = Extract<Command, { type: "request" | "stray" | "resource" }>

const request = (
  model: ModelState,
  command: Sending,
  { observations, done }: { readonly observations: Observations; readonly done: Done }
): ReadonlyArray<Difference> => {
  const exchange = done.number
  const seen = observations.exchanges[exchange]
  if (seen === null || seen === undefined) {
    return model.closing === null ? [{ laws: [29], text: "a listening server refused a connection" }] : []
  }
  if (command.type === "stray")
    return seen.number === null ? [] : [{ laws: [34], text: "a refused request was logged" }]
  const logged = logRequest(model, seen)
  if (command.type === "resource") return [...logged, ...resource(model, command, seen)]
  const decision = decide(model, command.request)
  const wrong = compareDecision(decision, seen, exchange)
  if (wrong.length > 0) return [...logged, ...wrong]
  model.copies.push(startCopy(model, { exchange, seen, decision }, command))
  return logged
}

const compareDecision = (
  { source, expectation }: ModelDecision,
  seen: SeenExchange,
  exchange: number
): ReadonlyArray<Difference> => {
  if (seen.source === source && seen.expectation === (expectation?.number ?? null)) return []
  const isReplayWrong = (seen.source === "replay") !== (source === "replay")
  const wanted = expectation === null ? source : `${source} ${expectation.number}`
  const text = `request ${exchange} was answered by ${seen.source} ${seen.expectation ?? ""}, and not by ${wanted}`
  return [{ laws: isReplayWrong ? [29, 9] : [29], text }]
}

const startCopy = (
  model: ModelState,
  answered: { readonly exchange: number; readonly seen: SeenExchange; readonly decision: ModelDecision },
  { request }: Extract<Command, { type: "request" }>
): ModelCopy => {
  const { exchange, seen, decision } = answered
  const { source, expectation, answer } = decision
  const isUnmatched = expectation === null
  const isGated = isUnmatched && answer.body.kind === "frames" && classOf(request).kind === "foreground"
  const copy: ModelCopy = {
    exchange,
    source,
    expectation,
    isPrimary: source === "expectation",
    isGated,
    answer,
    stages: stagesOf(answer, { delayMs: model.delayMs, barriers: expectation?.barriers ?? [], isGated }),
    windowBytes: request.windowBytes,
    index: 0,
    due: seen.at,
    dueBy: "start",
    parked: null,
    barredAt: null,
    standsAtGate: false,
    wokenAt: null,
    settled: null,
    isOver: false,
    isLost: false,
    unread: 0,
    pieces: 0,
    silentSince: seen.at
  }
  if (expectation === null) return copy
  if (copy.isPrimary) {
    expectation.state = "claimed"
    expectation.fingerprint = fingerprintOf(request)
  }
  expectation.copies.push(copy)
  return copy
}

/** Resources are answered at once: neither pace nor gate is theirs. */
const resource = (
  model: ModelState,
  { resource }: Extract<Command, { type: "resource" }>,
  seen: SeenExchange
): ReadonlyArray<Difference> => {
  const queued = resource === "settings" ? takeQueued(model, "Settings") : undefined
  const answer = queued === undefined ? null : knownAnswer(queued.script, queued.label, model.setup.profile)
  const status = answer?.status ?? (resource === "settings" ? 404 : 200)
  const text = seen.pieces.map((piece) => piece.text).join("")
  const isSame = seen.status === status && (answer === null || text === textOf(answer.body))
  const isPrompt = seen.ended?.at === seen.at
  return [
    ...(isSame ? [] : [{ laws: [31], text: `${resource} was answered ${seen.status} ${text}` }]),
    ...(isPrompt ? [] : [{ laws: [32, 36], text: `${resource} was not answered at once` }])
  ]
}

const textOf = (body: ReturnType<typeof knownAnswer>["body"]): string =>
  body.kind === "frames" ? body.frames.join("") : body.kind === "whole" ? body.text : ""

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

const set = (
  model: ModelState,
  command: Exclude<
    Command,
    | Sending
    | { type: "register" | "misregister" | "omitted" | "disconnect" | "read" | "release" | "dispose" | "retire" }
  >,
  at: number
): void => {
  switch (command.type) {
    case "enqueue": {
      const queue = model.queues.get(command.queue) ?? []
      model.queues.set(command.queue, [...queue, { label: queueLabel(model.queuedCount++), script: command.script }])
      return
    }
    case "clearQueues":
      model.queues.clear()
      return
    case "hold":
      if (!isHeld(model.gate)) model.gate.push({ at, isHeld: true })
      return
    case "open":
      openGate(model, at)
      return
    case "respond":
      model.fixedText = command.text
      return
    case "turns":
      model.turns = command.texts
      return
    case "delay":
      model.delayMs = command.ms
      return
    case "stopReason":
      model.stopReason = command.reason
      return
    case "requireKey":
      model.requiresKey = command.on
      return
    case "keep":
      model.log.isKeeping = command.on
      return
    case "close":
      model.closing ??= { at, killAt: at + command.drainMs }
  }
}

const openGate = (model: ModelState, at: number): void => {
  if (!isHeld(model.gate)) return
  model.gate.push({ at, isHeld: false })
  for (const copy of model.copies) if (copy.standsAtGate) copy.wokenAt ??= at
}
