import type { TraceEvent, TraceFact } from "../../src/domain/trace-event.ts"
import type { Oracle } from "../../src/oracles/monitor.ts"
import type { RunEvent, RunFact, SeenEvent } from "../../src/oracles/run-event.ts"
import { judgeRun, type WatchOptions } from "../../src/oracles/watch-run.ts"

/** A client's fact of call `a` unless another is named. */
export const by = (actor: string, at: number, fact: RunFact): RunEvent => ({ ...fact, actor, at })

export const ended = (at: number): RunEvent => by("test", at, { type: "run.ended" })

export const stopped = (at: number): RunEvent => by("test", at, { type: "faults.stopped" })

/** A fact of the server. */
export const srv = (at: number, fact: TraceFact): TraceEvent => ({ ...fact, at, index: 0 })

export const asked = (request: number, at = 0): TraceEvent =>
  srv(at, { type: "request", request, method: "POST", path: "/v1/chat/completions" })

type Decision = Extract<TraceFact, { readonly type: "decision" }>

export const decided = (
  request: number,
  source: Decision["source"],
  expectation: string | null = null,
  at = 0
): TraceEvent =>
  srv(at, {
    type: "decision",
    request,
    actor: 100 + request,
    endpoint: "ChatCompletions",
    kind: "foreground",
    source,
    expectation,
    miss: null
  })

export const registered = (name: string, actor = 1, barriers: ReadonlyArray<string> = []): TraceEvent =>
  srv(0, { type: "expectation", name, actor, barriers })

export const phase = (
  expectation: string,
  to: "Received" | "Blocked" | "Satisfied" | "Abandoned" | "Retired",
  at = 0
) => srv(at, { type: "phase", expectation, phase: to })

export const settled = (request: number, as: "crossed" | "cancelled" = "crossed", at = 0): TraceEvent =>
  srv(at, { type: "settled", request, as })

export const over = (
  request: number,
  {
    bytes = 10,
    outcome = "completed",
    at = 0
  }: {
    readonly bytes?: number
    readonly outcome?: "completed" | "server_error" | "client_closed"
    readonly at?: number
  } = {}
): TraceEvent => srv(at, { type: "ended", request, outcome, bytes, events: 2 })

/** What oracles say of a run: `oracle: shape`, in the order in which it was found. */
export const shapes = (
  oracles: Oracle | ReadonlyArray<Oracle>,
  events: ReadonlyArray<SeenEvent>,
  options?: WatchOptions
): ReadonlyArray<string> =>
  judgeRun([oracles].flat(), events, options).map(({ oracle, shape }) => `${oracle}: ${shape}`)
