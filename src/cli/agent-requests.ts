import type { RequestKind } from "../domain/classification.ts"
import { clip } from "../domain/clip.ts"
import type { Outcome } from "../domain/outcome.ts"
import type { TraceEvent } from "../domain/trace-event.ts"
import type { ResponseMode } from "../inference/fallback.ts"
import { visibleText } from "../report/visible-text.ts"

/** One request that the mock saw. */
export interface SeenRequest {
  /** Running number on the mock; `null` for a path or method that it does not have. */
  readonly number: number | null
  readonly method: string
  readonly path: string
  /** `null` for what is no question to a model. */
  readonly kind: RequestKind | null
  /** What answered: the name of an expectation, or where else the answer came from. */
  readonly answer: string
  /** `null` while no head was sent. */
  readonly status: number | null
  /** From its arrival to the end of its answer; `null` while that goes on. */
  readonly ms: number | null
  readonly outcome: Outcome | null
}

/** The requests of a mock, as its trace tells them. */
export interface SeenRequests {
  see(event: TraceEvent): void
  /** Those that are kept, in the order of their arrival, and how many came before these. */
  rows(): { readonly requests: ReadonlyArray<SeenRequest>; readonly dropped: number }
  count(): number
}

/** So many are kept, the newest; a table shows so many. */
const keptMax = 1_000
const shownMax = 100

type Row = { -readonly [Name in keyof SeenRequest]: SeenRequest[Name] } & { readonly at: number }

/**
 * **Takes** `mode`: what answers where nothing is scripted; `statusOf`: the status that the mock answered a request with
 *
 * @since 0.1.0
 * @category constructors
 */
export const seeRequests = (options: {
  readonly mode: ResponseMode
  readonly statusOf: (number: number) => number | null
}): SeenRequests => {
  const rows: Array<Row> = []
  const open = new Map<number, Row>()
  let count = 0
  const add = (row: Row): void => {
    count++
    rows.push(row)
    if (rows.length > keptMax) rows.shift()
  }
  return {
    see(event) {
      if (event.type === "request") {
        const { request: number, method, path, at } = event
        const row: Row = {
          number,
          method,
          path,
          at,
          kind: null,
          answer: "resource",
          status: null,
          ms: null,
          outcome: null
        }
        open.set(number, row)
        add(row)
      } else if (event.type === "refused") {
        const { method, path, status, at } = event
        add({ number: null, method, path, at, kind: null, answer: "refused", status, ms: 0, outcome: "completed" })
      } else if (event.type === "decision") {
        const row = open.get(event.request)
        if (row === undefined) return
        row.kind = event.kind
        row.answer = answerOf(event, options.mode)
      } else if (event.type === "ended") {
        const row = open.get(event.request)
        if (row === undefined) return
        open.delete(event.request)
        row.ms = event.at - row.at
        row.outcome = event.outcome
        row.status = options.statusOf(event.request)
      }
    },
    rows: () => ({
      requests: rows.map(({ at: _, ...row }) => ({
        ...row,
        status: row.status ?? (row.number === null ? null : options.statusOf(row.number))
      })),
      dropped: count - rows.length
    }),
    count: () => count
  }
}

type Decision = Extract<TraceEvent, { readonly type: "decision" }>

const answerOf = ({ source, expectation }: Decision, mode: ResponseMode): string => {
  if (expectation !== null) return source === "replay" ? `replay of ${expectation}` : expectation
  if (source === "mode") return mode.kind === "echo" ? "echo" : "text"
  if (source === "unexpected") return "nothing scripted"
  return source === "unauthorized" ? "no valid key" : source
}

const heads = ["method", "path", "kind", "answer", "status", "ms"] as const
const pathLengthMax = 60

/**
 * The requests as a table, one line each under a line of heads.
 *
 * @since 0.1.0
 * @category encoding
 */
export const requestTable = ({ requests, dropped }: ReturnType<SeenRequests["rows"]>): ReadonlyArray<string> => {
  if (requests.length === 0) return ["the mock saw no request"]
  const shown = requests.slice(-shownMax)
  const cells = [heads, ...shown.map(cellsOf)]
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? "").length)))
  const lines = cells.map((row) =>
    row
      .map((cell, column) => (column >= 4 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd()
  )
  const earlier = dropped + requests.length - shown.length
  return earlier === 0 ? lines : [...lines, `and ${earlier} before these`]
}

const cellsOf = ({ method, path, kind, answer, status, ms, outcome }: SeenRequest): ReadonlyArray<string> => [
  visibleText(method),
  clip(visibleText(path), pathLengthMax),
  kind ?? "-",
  clip(visibleText(answer), pathLengthMax),
  status === null ? "-" : String(status),
  ms === null ? "open" : `${Math.round(ms)}${outcome === "completed" ? "" : ` ${outcome}`}`
]
