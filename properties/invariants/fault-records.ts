import type { FaultEvent } from "../../src/faults/fault-event.ts"
import type { FaultRun, RecordView, SeenEvent } from "../observation/fault-run.ts"
import { exchangesOf, type FaultLaw, named, same } from "./fault-account.ts"

type Told<Type extends FaultEvent["type"]> = SeenEvent & { readonly event: Extract<FaultEvent, { type: Type }> }

const isRequest = (seen: SeenEvent): seen is Told<"request"> => seen.event.type === "request"
const isResult = (seen: SeenEvent): seen is Told<"result"> => seen.event.type === "result"

/** 9. The request is told once, when its record stands in the list, and before its first byte. */
export const requestIsToldFirst: FaultLaw = (run) => {
  same(
    "the attempts of request events",
    run.told.filter(isRequest).map(({ event }) => event.attempt),
    run.records.map(({ attempt }) => attempt)
  )
  for (const { event, recordsThen } of run.told.filter(isRequest)) {
    same(`whether request ${event.attempt} was listed when it was told`, recordsThen >= event.attempt, true)
  }
  for (const exchange of exchangesOf(run)) {
    const { firstByte, decision, record } = exchange
    if (firstByte !== null) {
      same(`at the first byte of ${named(exchange)}`, firstByte, { isListed: true, isTold: true, hasHead: true })
    }
    same(`when ${named(exchange)} was told`, toldAt(run, record.attempt), decision.at)
  }
}

const toldAt = ({ told }: FaultRun, attempt: number): number | undefined =>
  told.find((seen) => isRequest(seen) && seen.event.attempt === attempt)?.at

/** 10 and 36. Each accepted exchange tells one result, and has when `close` resolves. */
export const oneResult: FaultLaw = ({ records, told, end }) => {
  const attempts = told.filter(isResult).map(({ event }) => event.attempt)
  same(
    "the attempts of results",
    attempts.toSorted((a, b) => a - b),
    records.map(({ attempt }) => attempt)
  )
  const { whenClosed } = end
  if (whenClosed === null) return
  const unsettled = whenClosed.records.filter(([, outcome]) => outcome === null)
  same("records without an outcome when all was closed", unsettled.length, 0)
  same("results told when all was closed", whenClosed.results, records.length)
}

/** 11 and 3. A result follows its request and agrees with it, and with the record as it was. */
export const resultFollowsRequest: FaultLaw = ({ told, records }) => {
  told.forEach((seen, index) => {
    if (!isResult(seen)) return
    const { attempt, scriptBehavior, behavior, outcome, chunksSent } = seen.event
    const request = told.slice(0, index).find((other) => isRequest(other) && other.event.attempt === attempt)
    same(
      `the request before result ${attempt}`,
      request !== undefined && isRequest(request) ? [request.event.scriptBehavior, request.event.behavior] : null,
      [scriptBehavior, behavior]
    )
    const record = records[attempt - 1]
    same(
      `the record of result ${attempt}`,
      [record?.scriptBehavior, record?.behavior, record?.outcome, record?.chunksSent],
      [scriptBehavior, behavior, outcome, chunksSent]
    )
  })
}

/** 13. What was told cannot be changed and has not changed. */
export const eventsStandStill: FaultLaw = ({ told }) => {
  for (const { event, text } of told) {
    same(`an event that said ${text}`, JSON.stringify(event), text)
    same(`whether ${text} is frozen`, Object.isFrozen(event), true)
  }
}

/** 14. Chunks grow until the outcome, and then nothing changes any more. */
export const recordsOnlyGrow: FaultLaw = ({ moments, end }) => {
  const last = end.whenClosed === null ? [] : [{ at: Number.POSITIVE_INFINITY, records: end.whenClosed.records }]
  let before: ReadonlyArray<RecordView> = []
  for (const { records } of [...moments, ...last]) {
    before.forEach(([chunks, outcome], index) => {
      const [chunksNow, outcomeNow] = records[index] ?? [-1, null]
      const isAllowed = outcome === null ? chunksNow >= chunks : outcomeNow === outcome && chunksNow === chunks
      if (!isAllowed)
        throw new Error(`record ${index + 1} went from ${chunks}, ${outcome} to ${chunksNow}, ${outcomeNow}`)
    })
    before = records
  }
}

/** 15 and 6. As many records as request events as the highest attempt, which stands at its place. */
export const attemptsAreComplete: FaultLaw = ({ records, told }) => {
  same(
    "the attempts",
    records.map(({ attempt }) => attempt),
    records.map((_, index) => index + 1)
  )
  same("the request events", told.filter(isRequest).length, records.length)
  const ofScripts = records.filter(isOfScript)
  for (const lane of new Set(ofScripts.map((record) => record.lane))) {
    const own = ofScripts.filter((record) => record.lane === lane)
    same(
      `the attempts of lane ${lane}`,
      own.map(({ laneAttempt }) => laneAttempt),
      own.map((_, index) => index + 1)
    )
  }
}

const isOfScript = ({ lane }: { readonly lane: string }): boolean => lane !== "header" && lane !== "auxiliary"

/** 12. */
export const behaviorIsTheEntry: FaultLaw = ({ records }) => {
  for (const { scriptBehavior, behavior, attempt } of records) {
    if (scriptBehavior !== "random") same(`the behaviour of exchange ${attempt}`, behavior, scriptBehavior)
    else if (behavior === "script_exhausted") throw new Error(`exchange ${attempt} drew script_exhausted`)
  }
}

/** 30. When a client has left, its exchange is over: nothing is counted, and no timer of it is left. */
export const leavingEndsIt: FaultLaw = (run) => {
  for (const exchange of exchangesOf(run)) {
    const { leftAt, chunksWhenLeft, record, pieces } = exchange
    if (leftAt === null) continue
    if (chunksWhenLeft !== null)
      same(`the chunks of ${named(exchange)} after it was left`, record.chunksSent, chunksWhenLeft)
    const late = pieces.filter(({ at }) => at > leftAt).length
    same(`the pieces of ${named(exchange)} after it was left`, late, 0)
    same(`whether ${named(exchange)} ended by then`, record.t + (record.durationMs ?? Number.NaN) <= leftAt, true)
  }
  same("timers when every client has left", run.end.idleTimers, 0)
}

/** 2. `client_closed` is a client that left, or the server that was closed, before the end; nothing else is. */
export const onlyLeavingCloses: FaultLaw = (run) => {
  for (const exchange of exchangesOf(run)) {
    const { record, leftAt, shape } = exchange
    const endedAt = record.t + (record.durationMs ?? Number.NaN)
    if (record.outcome !== "client_closed") same(`the outcome of ${named(exchange)}`, record.outcome, shape.ends)
    else if (leftAt !== endedAt && run.closedAt === null) throw new Error(`${named(exchange)} was closed by nobody`)
  }
}

/** 36. Every `close` is the same, all is over behind it, and connects are refused. */
export const closingIsOne: FaultLaw = ({ end }) => {
  const { timers, closedTimers, connections, isRefusing, areClosingsOne, isClosed } = end
  same(
    "the end",
    { timers, closedTimers, connections, isRefusing, areClosingsOne, isClosed },
    { timers: 0, closedTimers: 0, connections: 0, isRefusing: true, areClosingsOne: true, isClosed: true }
  )
}

/** 6.4. Since the server was closed, no port is told to be unavailable, or available again. */
export const closedBeginsNoGap: FaultLaw = ({ told, toldWhenClosing }) => {
  const late = told
    .slice(toldWhenClosing ?? told.length)
    .filter(({ event: { type } }) => type === "unavailable" || type === "available")
  same(
    "what is told of the port",
    late.map(({ text }) => text),
    []
  )
}

const members: Readonly<Record<"request" | "result", ReadonlyArray<string>>> = {
  request: ["type", "attempt", "scriptBehavior", "behavior", "path"],
  result: ["type", "attempt", "scriptBehavior", "behavior", "outcome", "chunksSent"]
}

const place = ["lane", "laneAttempt", "format", "stream", "t"]
const more = { request: place, result: [...place, "status", "bytesSent", "closeMode", "durationMs"] } as const

/** 37, as far as it is the library's: an event is one line of JSON, its members are those of the record, in their order. */
export const eventsAreLines: FaultLaw = ({ told, history }) => {
  const isFull = history.setup.terms.telemetry === "full"
  for (const { event, text } of told) {
    if (text.includes("\n")) throw new Error(`an event is more than a line: ${text}`)
    if (event.type !== "request" && event.type !== "result") {
      const isBaseline = event.type === "unavailable" || event.type === "available"
      if (!isFull && !isBaseline) throw new Error(`the baseline tells ${text}`)
      continue
    }
    same(`the members of ${text}`, Object.keys(event), [...members[event.type], ...(isFull ? more[event.type] : [])])
  }
}
