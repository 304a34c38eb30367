import type { TraceEvent } from "../domain/trace-event.ts"
import type { Operation } from "./history.ts"
import { attemptName, requestName, type SeenEvent } from "./run-event.ts"
import type { ClaimInput, ClaimOutput } from "./sequential-model.ts"

type Decision = Extract<TraceEvent, { readonly type: "decision" }>

/** Which requests would have claimed an expectation had it been there. */
export interface Contest {
  readonly expectation: string
  /** Default: those of the endpoint and kind of who won. Where the expectation asks for more, say it here. */
  readonly contends?: (decision: Decision) => boolean
}

/** Sources that are asked after the expectations. */
const later: ReadonlyArray<string> = ["queue", "unauthorized", "turn", "mode", "unexpected"]

/**
 * The history of one expectation as a test-and-set object: its registration, and the claims of all requests that wanted it. A
 * request claims from when its client sent it, where that is known, until it ended; moments are positions among the events.
 * Replays claim nothing, nor does who claimed another expectation.
 *
 * @since 0.1.0
 * @category histories
 */
export const claimHistory = (
  events: ReadonlyArray<SeenEvent>,
  { expectation, contends }: Contest
): ReadonlyArray<Operation<ClaimInput, ClaimOutput>> => {
  const decisions = events.filter((event) => event.type === "decision")
  const winner = decisions.find((event) => event.source === "expectation" && event.expectation === expectation)
  const isLike = ({ endpoint, kind }: Decision): boolean => endpoint === winner?.endpoint && kind === winner?.kind
  const isContender = contends ?? isLike
  const spans = spansOf(events)
  return events.flatMap((event, at): ReadonlyArray<Operation<ClaimInput, ClaimOutput>> => {
    if (event.type === "expectation" && event.name === expectation)
      return [{ process: "test", input: { type: "register" }, called: at, returned: { at, output: true } }]
    if (event.type === "phase" && event.expectation === expectation && event.phase === "Retired")
      return [{ process: "test", input: { type: "retire" }, called: at, returned: { at, output: true } }]
    if (event.type !== "decision") return []
    const isWon = event.source === "expectation" && event.expectation === expectation
    if (!isWon && !(later.includes(event.source) && isContender(event))) return []
    const { from = at, until = null } = spans.get(event.request) ?? {}
    const returned = until === null ? null : { at: until, output: isWon }
    return [{ process: requestName(event.request), input: { type: "claim" }, called: from, returned }]
  })
}

/** From where until where each request went, as positions. */
const spansOf = (
  events: ReadonlyArray<SeenEvent>
): ReadonlyMap<number, { readonly from: number; readonly until: number | null }> => {
  const sent = new Map<string, number>()
  const spans = new Map<number, { from: number; until: number | null }>()
  events.forEach((event, at) => {
    switch (event.type) {
      case "attempt.sent":
        sent.set(attemptName(event), at)
        return
      case "request": {
        const before = spans.get(event.request)
        spans.set(event.request, { from: Math.min(before?.from ?? at, at), until: null })
        return
      }
      case "attempt.arrived": {
        const from = sent.get(attemptName(event)) ?? at
        const before = spans.get(event.request)
        spans.set(event.request, { from: Math.min(before?.from ?? from, from), until: before?.until ?? null })
        return
      }
      case "ended": {
        const span = spans.get(event.request)
        if (span !== undefined) span.until = at
      }
    }
  })
  return spans
}
