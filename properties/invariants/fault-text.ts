import type { FaultName } from "../../src/domain/fault-names.ts"
import { bodyText, eventData, type FaultExchange, type FaultLaw, named, same, wholeOf } from "./fault-account.ts"
import { at, finishNames, found, payloadsOf, readers } from "./fault-deltas.ts"

/** The payloads of streams whose behaviours are in a list. */
const streamsOf = (
  run: Parameters<FaultLaw>[0],
  isIt: (exchange: FaultExchange) => boolean
): ReadonlyArray<readonly [FaultExchange, ReadonlyArray<unknown>]> =>
  wholeOf(run)
    .filter((exchange) => exchange.record.stream && isIt(exchange))
    .map((exchange) => [exchange, payloadsOf(eventData(bodyText(exchange)))] as const)

/** Where a text is cut: every so many code points, never inside one. */
const piecesOf = (text: string, chunkSize: number): ReadonlyArray<string> => {
  const points = Array.from(text)
  const count = Math.ceil(points.length / chunkSize)
  return Array.from({ length: count }, (_, index) => points.slice(index * chunkSize, (index + 1) * chunkSize).join(""))
}

/** 20. The pieces are the text, each but the last of `chunkSize` code points. */
export const piecesAreTheText: FaultLaw = (run) => {
  for (const [exchange, payloads] of streamsOf(run, ({ shape }) => shape.text !== undefined)) {
    const { record, shape, expected } = exchange
    const { text, reasoning } = readers[record.format]
    const { chunkSize, reasoningText } = expected.settings
    same(
      `the text of ${named(exchange)}`,
      found(payloads, text),
      piecesOf(expected.settings[shape.text ?? "successText"], chunkSize)
    )
    same(
      `the reasoning of ${named(exchange)}`,
      found(payloads, reasoning),
      shape.reasons === true ? piecesOf(reasoningText, chunkSize) : []
    )
  }
}

/** A stream says how it finished once, in the words of its format. */
export const finishIsSaidOnce: FaultLaw = (run) => {
  for (const [exchange, payloads] of streamsOf(run, ({ shape }) => shape.finish !== undefined)) {
    const { record, shape } = exchange
    const name = finishNames[record.format][shape.finish ?? ""]
    same(
      `the finish of ${named(exchange)}`,
      found(payloads, readers[record.format].finish),
      name === undefined ? [] : [name]
    )
  }
}

const calls: ReadonlySet<FaultName> = new Set(["tool_call_success", "parallel_tool_calls"])
const isOneOf =
  (names: ReadonlySet<FaultName>) =>
  ({ record: { behavior } }: FaultExchange): boolean =>
    behavior !== "script_exhausted" && names.has(behavior)

/** 21. Output tokens are the code points of the text, 2 of a call, 0 of nothing; `chunkSize` has no part in it. */
export const tokensAreCodePoints: FaultLaw = (run) => {
  for (const [exchange, payloads] of streamsOf(run, (one) => tokensOf(one) !== null)) {
    const { record } = exchange
    const { outputTokens, inputTokens } = readers[record.format]
    const { isSaid, copies } = usageOf(exchange, run.history.setup.terms.usagePlacement)
    const said = Array.from({ length: isSaid ? copies : 0 }, () => tokensOf(exchange))
    same(`the tokens of ${named(exchange)}`, found(payloads, outputTokens), said)
    if (!isSaid) continue
    const input = record.behavior === "usage_overflow" ? exchange.expected.settings.contextWindow + 1 : 3
    same(`the input of ${named(exchange)}`, new Set(found(payloads, inputTokens)).has(input), true)
  }
}

const tokensOf = (exchange: FaultExchange): number | null => {
  const { record, shape, expected } = exchange
  if (record.behavior === "empty") return 0
  if (calls.has(record.behavior === "script_exhausted" ? "empty" : record.behavior)) return 2
  if (shape.text !== "successText" || shape.finish === undefined || shape.finish === "none") return null
  return Array.from(expected.settings.successText).length
}

const usageOf = ({ record, ask }: FaultExchange, placement: string) => {
  const isSaid = record.behavior !== "usage_missing" && !(record.format === "chat" && placement === "none")
  const copies = record.format === "chat" && placement === "both" ? 2 : 1
  return { isSaid, copies, isTrailing: placement === "trailing" || (placement === "auto" && ask.body === "usage") }
}

/** 9.4.1. The usage stands where it was asked for: at the finish of a chat stream, in an event behind it, or in both. */
export const usageStandsInPlace: FaultLaw = (run) => {
  const { usagePlacement } = run.history.setup.terms
  for (const [exchange, payloads] of streamsOf(
    run,
    (one) => one.record.format === "chat" && one.record.behavior === "success"
  )) {
    const { isTrailing } = usageOf(exchange, usagePlacement)
    const finish = payloads.find((payload) => readers.chat.finish(payload) !== undefined)
    const last = payloads.at(-1)
    const places = [at(finish, "usage") !== undefined, last !== finish && at(last, "usage") !== undefined]
    const isBoth = usagePlacement === "both"
    const isNone = usagePlacement === "none"
    same(`the usage of ${named(exchange)}`, places, [!isNone && (isBoth || !isTrailing), isBoth || isTrailing])
  }
}

/** 22. The two fragments of a call are its arguments, cut at half their code points. */
export const fragmentsAreTheArguments: FaultLaw = (run) => {
  for (const [exchange, payloads] of streamsOf(run, isOneOf(new Set(["tool_call_success"])))) {
    const points = Array.from(exchange.expected.settings.toolArguments)
    const half = Math.max(1, Math.floor(points.length / 2))
    const fragments = found(payloads, readers[exchange.record.format].fragment)
    same(`the fragments of ${named(exchange)}`, fragments, [
      points.slice(0, half).join(""),
      points.slice(half).join("")
    ])
  }
}

/** 9.4.5. A reply says the same as a stream. */
export const repliesSayTheText: FaultLaw = (run) => {
  for (const exchange of wholeOf(run)) {
    const { record, expected, shape } = exchange
    const isGood = shape.text === "successText" && shape.ends === "completed" && shape.finish === "stop"
    if (record.stream || !isGood) continue
    const reply: unknown = JSON.parse(bodyText(exchange).replace(/^\ufeff/, ""))
    same(`the reply of ${named(exchange)}`, textOf[record.format](reply), expected.settings.successText)
    same(
      `the id of ${named(exchange)}`,
      String(at(reply, "id")).endsWith(`mock${record.format === "chat" ? "-" : "_"}${record.laneAttempt}`),
      true
    )
  }
}

const textOf = {
  chat: (reply: unknown) => at(reply, "choices", 0, "message", "content"),
  responses: (reply: unknown) => lastOf(at(reply, "output"), "content", 0, "text"),
  messages: (reply: unknown) => lastOf(at(reply, "content"), "text")
} as const

const lastOf = (list: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  Array.isArray(list) ? at(list.at(-1), ...path) : undefined
