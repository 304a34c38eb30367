import type { Done, Observations, SeenExchange } from "../observation/observations.ts"
import type { Command } from "./command.ts"
import { decide, type ModelDecision, takeQueued } from "./decide.ts"
import { logRequest } from "./log.ts"
import { classOf, fingerprintOf } from "./request.ts"
import { knownAnswer } from "./script.ts"
import type { ModelCopy, ModelState } from "./state.ts"
import { stagesOf } from "./timeline.ts"
import type { Difference } from "./walk.ts"

/** A command that sends a request. */
export type Sending = Extract<Command, { type: "request" | "stray" | "resource" }>

/** A request is answered at once by a decision; its copy goes on by itself. */
export const request = (
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
  if (model.isHanging && resource !== "user") {
    const text = `${resource} was answered while the server hangs`
    return seen.headAt === null ? [] : [{ laws: [38], text }]
  }
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
