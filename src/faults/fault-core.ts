import { settingsOf } from "../domain/check-fault-options.ts"
import { classifyKind } from "../domain/classification.ts"
import type { FaultOptions } from "../domain/fault-options.ts"
import type { RequestHead } from "../domain/request.ts"
import type { Clock } from "../kernel/clock.ts"
import type { Trace } from "../kernel/trace.ts"
import { type CopyWatcher, unwatched } from "../serving/copy.ts"
import type { Answer, BodyRead, Route } from "../serving/http-app.ts"
import type { FaultAnswer, FaultContext } from "./catalogue/behavior.ts"
import { behaviorOf } from "./catalogue/catalogue.ts"
import { askedFault } from "./catalogue/fault-header.ts"
import { faultPlan } from "./catalogue/fault-plan.ts"
import type { FaultFormat, Voice } from "./catalogue/voice.ts"
import { faultVoice } from "./catalogue/voices/fault-voice.ts"
import { defaultLane } from "./chance/lane-seed.ts"
import { connectionHeaders } from "./connection-headers.ts"
import { type Draw, type DrawRules, drawApart, drawFor } from "./draw.ts"
import type { FaultRecords, OpenExchange } from "./fault-records.ts"
import { type AnswerTerms, includesUsage, modelOf, wantsStream } from "./fault-terms.ts"
import {
  checkHead,
  endpointOf,
  type FaultTarget,
  type Rejection,
  readBody,
  readTarget,
  reject,
  rejections
} from "./gates.ts"
import { declaredLaneName, type LaneKey, type LaneRequest, type LaneRule, laneKey, shortLaneName } from "./lane-key.ts"
import type { Lanes } from "./lanes.ts"
import { exhaustedRow, gateAnswer, handlerFailed, mockError } from "./mock-errors.ts"
import type { Gap } from "./script-entry.ts"

/** What the core of a fault server works with. */
export interface FaultCoreParts {
  readonly clock: Clock
  readonly trace: Trace
  readonly records: FaultRecords
  readonly lanes: Lanes
  readonly rules: DrawRules
  readonly terms: AnswerTerms
  readonly formats: ReadonlyArray<FaultFormat>
  readonly apiKey: string | null
  readonly maxBodyBytes: number
  readonly laneRules: ReadonlyArray<LaneRule>
  readonly onlyForeground: boolean
  readonly faultHeader: boolean
  /** An exchange has its outcome, and behind it in its script the port of a lane refuses for a while; `null`: the main one. */
  readonly gapBegins: (gap: Gap, key: string | null) => void
}

/**
 * From a request to the plan of its answer. Accepting a request is one step: it takes an entry of its lane and a number,
 * is recorded, told, and planned.
 *
 * **Takes** `ownLane`: the lane of a port that serves one alone
 * **Source** fault-server.md, sections 3, 7 and 9
 *
 * @since 0.1.0
 * @category services
 */
export const faultRoute =
  (parts: FaultCoreParts, ownLane: string | null = null) =>
  (head: RequestHead): Route => {
    const target = readTarget(head.target, parts.formats)
    const { format } = target
    const early = checkHead(head, target, parts.apiKey)
    const open: { exchange: OpenExchange | null } = { exchange: null }
    if (early !== null || format === null) {
      const decide = (): Answer => rejected(parts, { head, target, rejection: early ?? rejections.json })
      return { bodyBytesMax: null, decide, stumbled: decide }
    }
    return {
      bodyBytesMax: parts.maxBodyBytes,
      decide: (body) => accept(parts, { head, target, format, body, ownLane, open }),
      stumbled: () => stumbled(parts, { head, format, exchange: open.exchange })
    }
  }

interface Arrived {
  readonly head: RequestHead
  readonly target: FaultTarget
  readonly format: FaultFormat
  readonly body: BodyRead
  readonly ownLane: string | null
  /** Where the exchange is put as soon as it exists, in case the rest fails. */
  readonly open: { exchange: OpenExchange | null }
}

const accept = (parts: FaultCoreParts, arrived: Arrived): Answer => {
  const { head, target, format, body, ownLane, open } = arrived
  const refuse = (rejection: Rejection): Answer => rejected(parts, { head, target, rejection })
  if (body.kind === "tooLarge") return refuse(rejections.tooLarge)
  const read = readBody(body.kind === "bytes" ? body.bytes : new Uint8Array())
  if (read === null) return refuse(rejections.json)
  const request: LaneRequest = {
    endpoint: endpointOf[format],
    kind: classifyKind(head.headers, read.value),
    head,
    body: { text: read.text === "" ? "null" : read.text, value: read.value },
    pathKey: target.pathKey
  }
  const draw = drawOf(parts, request, ownLane)
  if ("rejection" in draw) return refuse(draw.rejection)
  const isStream = wantsStream(read.value, parts.terms.streaming)
  const exchange = parts.records.accept({
    head,
    path: target.path,
    body: read.value,
    scriptBehavior: draw.scriptBehavior,
    behavior: draw.behavior,
    lane: draw.lane,
    laneAttempt: draw.laneAttempt,
    format,
    stream: isStream,
    known: draw.known,
    settled() {
      if (draw.gap !== null) parts.gapBegins(draw.gap, draw.key)
    }
  })
  open.exchange = exchange
  return answerTo(parts, { head, format, value: read.value, isStream, draw, exchange })
}

const spared = "auxiliary"

/** What a request gets: the fault it asks for, a good answer that takes nothing, or the next entry of its lane. */
const drawOf = (
  parts: FaultCoreParts,
  request: LaneRequest,
  ownLane: string | null
): Draw | { readonly rejection: Rejection } => {
  const { options } = parts.terms
  const asked = parts.faultHeader ? askedFault(request.head) : null
  if (asked !== null && "problem" in asked) {
    return { rejection: reject("fault_header", 400, { message: asked.problem, code: "unknown_fault" }) }
  }
  if (asked !== null) return drawApart(asked.behavior, "header", { ...options, ...asked.options }, 1)
  if (parts.onlyForeground && request.kind === "auxiliary") return drawApart("success", spared, options, 1)
  const key = ownLane === null ? laneKey(request, parts.laneRules) : declaredLane(ownLane, parts)
  const lane = parts.lanes.find(key)
  if (lane === undefined) return { rejection: rejections.unknownLane(shortLaneName(key?.name ?? defaultLane)) }
  return drawFor(lane, parts.lanes.take(lane), request, parts.rules)
}

const declaredLane = (key: string, { laneRules }: FaultCoreParts): LaneKey => ({
  key,
  name: declaredLaneName(key, laneRules)
})

interface Answering {
  readonly head: RequestHead
  readonly format: FaultFormat
  readonly value: unknown
  readonly isStream: boolean
  readonly draw: Draw
  readonly exchange: OpenExchange
}

const answerTo = (parts: FaultCoreParts, answering: Answering): Answer => {
  const { head, format, value, isStream, draw, exchange } = answering
  const voice = faultVoice(format, {
    model: modelOf(value),
    laneAttempt: draw.laneAttempt,
    chunkShape: parts.terms.chunkShape,
    usagePlacement: parts.terms.usagePlacement,
    includeUsage: includesUsage(value)
  })
  const context = contextOf(parts, voice, draw.options)
  const answer =
    draw.behavior === "script_exhausted"
      ? mockError(context, exhaustedRow, parts.terms.markErrors)
      : behaviorOf(draw.behavior)[isStream ? "stream" : "reply"](context)
  const late = { ...answer, headDelayMs: answer.headDelayMs + draw.headDelayMs }
  return serve(parts, head, { answer: late, watcher: exchange.watcher(answer.ending), exchange })
}

const contextOf = ({ clock }: FaultCoreParts, voice: Voice, options: FaultOptions): FaultContext => ({
  voice,
  settings: settingsOf(options),
  wallMs: clock.wallMs()
})

const serve = (
  { clock, trace }: FaultCoreParts,
  head: RequestHead,
  {
    answer,
    watcher,
    exchange
  }: { readonly answer: FaultAnswer; readonly watcher: CopyWatcher; readonly exchange: OpenExchange | null }
): Answer => {
  const headers =
    answer.head === null ? [] : connectionHeaders(head, { wallMs: clock.wallMs(), status: answer.head.status })
  return {
    plan: faultPlan(answer, { barriers: [], owner: "call", headers }),
    watcher,
    started(copy) {
      if (exchange === null) return
      const { attempt, lane, laneAttempt, scriptBehavior, behavior } = exchange.record
      trace.record({
        type: "fault",
        request: attempt,
        actor: copy.id,
        lane,
        laneAttempt,
        entry: scriptBehavior,
        behavior,
        ending: answer.ending
      })
    }
  }
}

/** A request that failed a gate consumes nothing and is not recorded. */
const rejected = (
  parts: FaultCoreParts,
  {
    head,
    target,
    rejection
  }: { readonly head: RequestHead; readonly target: FaultTarget; readonly rejection: Rejection }
): Answer => {
  const { records, trace, terms } = parts
  const { reason, status } = rejection
  trace.record({ type: "refused", method: head.method, path: target.path, status })
  if (records.isFull)
    records.tell({ type: "rejected", reason, status, path: target.path, t: Math.round(records.now()) })
  const answer = gateAnswer(rejection, { format: target.format, markErrors: terms.markErrors })
  return serve(parts, head, { answer, watcher: unwatched, exchange: null })
}

/** A defect of ours: it belongs to the exchange over which it happened, and to no other. */
const stumbled = (
  parts: FaultCoreParts,
  {
    head,
    format,
    exchange
  }: { readonly head: RequestHead; readonly format: FaultFormat; readonly exchange: OpenExchange | null }
): Answer => {
  exchange?.failed()
  const answer = gateAnswer(
    { status: 500, headers: [], error: handlerFailed },
    { format, markErrors: parts.terms.markErrors }
  )
  return serve(parts, head, { answer, watcher: exchange?.watcher("end") ?? unwatched, exchange })
}
