import { bodyOf, type FaultAsk, formatOfAsk } from "../model/fault-ask.ts"
import type { Refusal } from "../model/fault-model.ts"
import type { FaultRun, SeenFault, ServerView } from "../observation/fault-run.ts"
import { bodyText, exchangesOf, type FaultLaw, headerOf, named, same } from "./fault-account.ts"

/** 1, 3 to 6 and 12. Each accepted exchange gets number, lane and entry that the model gives it, and no other does. */
export const entriesInOrder: FaultLaw = (run) => {
  const exchanges = exchangesOf(run)
  same("the number of records", run.records.length, run.faults.filter(isAccepted).length)
  for (const exchange of exchanges) {
    const { record, expected, ask } = exchange
    const { attempt, path, format, isStream, laneAttempt, scriptBehavior, behavior } = expected
    same(
      named(exchange),
      [record.attempt, record.path, record.format, record.stream, record.laneAttempt, record.scriptBehavior],
      [attempt, path, format, isStream, laneAttempt, scriptBehavior]
    )
    if (behavior !== null) same(`the behaviour of ${named(exchange)}`, record.behavior, behavior)
    same(`the body of ${named(exchange)}`, record.body, sentValue(ask))
  }
  same(
    "the lanes up to their digests",
    exchanges.map(({ record }) => record.lane),
    lanesByFirst(run)
  )
}

const isAccepted = ({ decision }: SeenFault): boolean => decision?.expected.kind === "accepted"

const sentValue = ({ body }: FaultAsk): unknown => {
  const { text } = bodyOf(body)
  return text === "" ? undefined : JSON.parse(text)
}

/** The expected lanes; a digest is what the first exchange of its lane says. */
const lanesByFirst = (run: FaultRun): ReadonlyArray<string> => {
  const digests = new Map<string, string>()
  return exchangesOf(run).map(({ expected: { lane, isDigest }, record }) => {
    if (!isDigest) return lane
    const digest = digests.get(lane) ?? record.lane
    if ([...digests].some(([other, known]) => other !== lane && known === digest)) return `a digest of ${lane} alone`
    digests.set(lane, digest)
    return digest
  })
}

/** 1. The cursor of one lane moves by one, and by none where the script is spent or was not asked. */
export const cursorMovesByOne: FaultLaw = (run) => {
  for (const { decision, expected, record } of exchangesOf(run)) {
    const moved = usedIn(decision.after) - usedIn(decision.before)
    const lane = decision.after.lanes.find(({ lane: name }) => name === record.lane)
    const isApart = expected.lane === "header" || expected.lane === "auxiliary"
    const isWithin = lane !== undefined && expected.laneAttempt <= lane.entries
    same(`the cursor of exchange ${record.attempt} moves by`, moved, !isApart && isWithin ? 1 : 0)
  }
  const total = run.faults.map(({ decision }) => (decision === null ? 0 : usedIn(decision.after)))
  if (total.length === 0) return
  for (const state of run.faults.flatMap(({ decision }) => decision?.after.lanes ?? [])) {
    if (state.used > state.entries) throw new Error(`lane ${state.lane} used ${state.used} of ${state.entries} entries`)
  }
}

const usedIn = ({ lanes }: ServerView): number => lanes.reduce((sum, { used }) => sum + used, 0)

/** 2. A refused request changes no cursor, no record and no event; full telemetry tells that it was refused. */
export const refusalsLeaveNoTrace: FaultLaw = ({ faults, history }) => {
  const isFull = history.setup.terms.telemetry === "full"
  for (const { decision } of faults) {
    if (decision === null || decision.expected.kind !== "refused") continue
    const { before, after, expected } = decision
    same(`what ${expected.reason} leaves behind`, after, { ...before, told: before.told + (isFull ? 1 : 0) })
  }
}

/** 2. An upload that never came to its end is as if it had never been: what is recorded was decided. */
export const uploadsLeaveNoTrace: FaultLaw = ({ faults, records, told }) => {
  const accepted = faults.filter(isAccepted).length
  same(
    "records and request events",
    [records.length, told.filter(({ event }) => event.type === "request").length],
    [accepted, accepted]
  )
}

/** 8. A request that fails several gates gets the answer of the first of them. */
export const firstGateAnswers: FaultLaw = ({ faults, history }) => {
  for (const fault of faults) {
    const { decision, ask } = fault
    if (decision === null || decision.expected.kind !== "refused" || fault.leftAt === decision.at) continue
    const { reason, status } = decision.expected
    same(
      `the answer to ${reason}`,
      [fault.status, headerOf(fault, "allow")],
      [status, reason === "method" ? "POST" : undefined]
    )
    same(`the body for ${reason}`, codeIn(fault, ask), codes[reason])
    same(`the request id for ${reason}`, headerOf(fault, "x-request-id"), undefined)
    const isMarked = codes[reason] !== null && (formatOfAsk(ask) !== "chat" || history.setup.terms.markErrors)
    same(`the mark of ${reason}`, headerOf(fault, "x-mock-error"), isMarked ? codes[reason] : undefined)
  }
}

const codes: Readonly<Record<Refusal, string | null>> = {
  method: null,
  route: null,
  auth: "invalid_api_key",
  json: "invalid_json",
  too_large: "body_too_large",
  fault_header: "unknown_fault",
  unknown_lane: "unknown_lane"
}

/** The code of an error of the mock; in Messages, whose envelope has none, by its mark. */
const codeIn = (fault: SeenFault, ask: FaultAsk): unknown => {
  const text = bodyText(fault)
  if (text === "") return null
  const { error } = JSON.parse(text)
  same("the members of the error", "type" in error, formatOfAsk(ask) === "messages")
  return formatOfAsk(ask) === "messages" ? headerOf(fault, "x-mock-error") : error.code
}

/** 32. As many draws as `random` entries were taken, each of the lane that took it. */
export const oneDrawForRandom: FaultLaw = (run) => {
  if (run.history.setup.draws === null) return
  const random = run.records.filter(({ scriptBehavior }) => scriptBehavior === "random")
  same(
    "the draws",
    run.drawLabels,
    random.map(({ lane }) => `fault/${lane}`)
  )
}

/** 9.1.8. Exhausted exchanges are listed apart, in their order. */
export const exhaustedAreListed: FaultLaw = ({ records, unexpected }) => {
  const exhausted = records.filter(({ behavior }) => behavior === "script_exhausted")
  same(
    "the unexpected",
    unexpected.map(({ attempt }) => attempt),
    exhausted.map(({ attempt }) => attempt)
  )
}

/** 9.2. Connects are refused while the port was told to be unavailable or the server is closing, and at no other time. */
export const gapsRefuse: FaultLaw = ({ connects }) => {
  for (const { isRefused, isClosing, lastTold } of connects) {
    same("whether a connect is refused", isRefused, isClosing || lastTold === "unavailable")
  }
}
