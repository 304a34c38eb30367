import type { FaultRecord } from "../../src/faults/fault-server-api.ts"
import type { Accepted } from "../model/fault-model.ts"
import { type Shape, shapeOf } from "../model/fault-shapes.ts"
import type { FaultRun, SeenDecision, SeenFault } from "../observation/fault-run.ts"

/**
 * What is said of a run of a fault server; it throws when that is not so.
 *
 * @since 0.1.0
 * @category models
 */
export type FaultLaw = (run: FaultRun) => void

/** An accepted exchange: what was expected of it, its record, and what its client saw. */
export interface FaultExchange extends SeenFault {
  readonly decision: SeenDecision
  readonly expected: Accepted
  readonly record: FaultRecord
  readonly shape: Shape
}

/** The accepted exchanges in order of acceptance. */
export const exchangesOf = ({ faults }: FaultRun): ReadonlyArray<FaultExchange> =>
  faults
    .flatMap((fault): ReadonlyArray<FaultExchange> => {
      const { decision, record } = fault
      if (decision === null || decision.expected.kind !== "accepted" || record === null) return []
      return [{ ...fault, decision, expected: decision.expected, record, shape: shapeOf(record.behavior) }]
    })
    .toSorted((a, b) => a.expected.attempt - b.expected.attempt)

/** Those that came to their own end. */
export const wholeOf = (run: FaultRun): ReadonlyArray<FaultExchange> =>
  exchangesOf(run).filter(({ record }) => record.outcome !== "client_closed")

/** Fails a law when two things are not the same as JSON; what is absent is `null` there. */
export const same = (what: string, seen: unknown, expected: unknown): void => {
  const [one, other] = [spell(seen), spell(expected)]
  if (one !== other) throw new Error(`${what} is ${one} and not ${other}`)
}

const spell = (value: unknown): string => JSON.stringify(value) ?? "undefined"

/** An exchange, for messages. */
export const named = ({ record }: FaultExchange): string =>
  `exchange ${record.attempt} (${record.behavior}, ${record.format}, ${record.stream ? "stream" : "reply"})`

/** The value of a header of an answer. */
export const headerOf = ({ headers }: SeenFault, name: string): string | undefined =>
  headers.find(([header]) => header === name)?.[1]

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true })

/** The body within the framing of HTTP, as bytes. */
export const bodyBytes = ({ pieces }: SeenFault): Uint8Array => {
  const framed = pieces.filter(({ isUnframed }) => !isUnframed)
  const bytes = new Uint8Array(framed.reduce((sum, piece) => sum + piece.bytes.length, 0))
  let at = 0
  for (const piece of framed) {
    bytes.set(piece.bytes, at)
    at += piece.bytes.length
  }
  return bytes
}

export const bodyText = (fault: SeenFault): string => utf8.decode(bodyBytes(fault))

/** The data of each complete event of a stream: blocks with a `data` line and a blank line behind them. */
export const eventData = (text: string): ReadonlyArray<string> =>
  text
    .replace(/^\ufeff/, "")
    .replaceAll("\r\n", "\n")
    .split("\n\n")
    .slice(0, -1)
    .flatMap((block) => block.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : [])))
