import type { FaultSettings } from "../../src/domain/fault-options.ts"
import type { FaultEntry, FaultHistory, FaultStep } from "../model/fault-history.ts"
import type { FaultRun, SeenFault } from "../observation/fault-run.ts"
import { exchangesOf, type FaultExchange } from "./fault-account.ts"

/** What a client got, with times from its acceptance on; dates are left out, for they tell when it was. */
export const answerOf = (fault: SeenFault) => ({
  status: fault.status,
  headers: fault.headers.filter(([name]) => name !== "date" && !(name === "retry-after" && isDated(fault))),
  pieces: (isBeating(fault) ? fault.pieces.slice(0, 1) : fault.pieces).map(({ at, bytes }) => [
    at - (fault.decision?.at ?? 0),
    new TextDecoder().decode(bytes)
  ]),
  ended: fault.ended,
  outcome: fault.record?.outcome,
  chunksSent: fault.record?.chunksSent
})

/** How often it was heard follows from how long somebody listened, and not from what was answered. */
const isBeating = ({ record }: SeenFault): boolean => record?.behavior === "comment_stall"

const isDated = ({ record }: SeenFault): boolean => record?.behavior === "retry_after_date"

/** An exchange as its lane has it: what it took, and what came of it. */
export const takenOf = (exchange: FaultExchange) => ({
  laneAttempt: exchange.record.laneAttempt,
  scriptBehavior: exchange.record.scriptBehavior,
  behavior: exchange.record.behavior,
  answer: answerOf(exchange)
})

/** By lane: all that its exchanges took, in order. What takes no entry is in no lane. */
export const byLane = (run: FaultRun): Readonly<Record<string, ReadonlyArray<unknown>>> => {
  const lanes: Record<string, Array<unknown>> = {}
  for (const exchange of exchangesOf(run)) {
    if (exchange.expected.lane === "auxiliary" || exchange.expected.lane === "header") continue
    const list = lanes[exchange.record.lane] ?? []
    lanes[exchange.record.lane] = list
    list.push(takenOf(exchange))
  }
  return Object.fromEntries(Object.entries(lanes).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** The same history without the requests that were refused. Its steps must not name clients. */
export const withoutRefused = ({ history, faults }: FaultRun): FaultHistory => {
  const refused = new Set(faults.flatMap(({ ask, decision }) => (decision?.expected.kind === "refused" ? [ask] : [])))
  return { ...history, steps: history.steps.filter((step) => step.does !== "ask" || !refused.has(step.ask)) }
}

/** A history in which nothing but this exchange happens, on a lane that has got as far. */
export const aloneWith = (run: FaultRun, { ask, record, expected }: FaultExchange): FaultHistory => {
  const before: ReadonlyArray<FaultEntry> = Array.from({ length: record.laneAttempt - 1 }, () => entryOf("empty_body"))
  const { behavior } = record
  const own =
    behavior === "script_exhausted" ? [] : [{ ...entryOf(behavior), options: entryOptions(expected.settings) }]
  const entries = [...before, ...own]
  const { setup } = run.history
  const steps: ReadonlyArray<FaultStep> = Array.from({ length: record.laneAttempt }, () => ({
    does: "ask",
    ask: { ...ask, fault: null, isSlow: false, isOnKept: false, pathLane: null, windowBytes: null }
  }))
  return {
    setup: {
      ...setup,
      script: { entries: entries.length === 0 ? [entryOf("empty_body")] : entries, repeatLast: false },
      lanes: null,
      settings: entryOptions(expected.settings),
      draws: null,
      observer: "quiet"
    },
    steps,
    ties: []
  }
}

const entryOf = (behavior: FaultEntry["behavior"]): FaultEntry => ({ behavior, times: 1, mode: null, options: null })

const entryOptions = ({ requestId, ...settings }: FaultSettings) => ({
  ...settings,
  ...(requestId === null ? {} : { requestId })
})
