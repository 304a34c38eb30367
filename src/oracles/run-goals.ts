import type { Goal } from "./goals.ts"
import { callName } from "./run-event.ts"

/** A retry is sent before the answer to an earlier attempt of its call is over. */
export const retryWhileStreaming: Goal<Map<string, number>> = {
  label: "retry while an earlier attempt still streams",
  init: () => new Map(),
  isReached(event, streaming) {
    if (event.type === "stream.event" && !event.isTerminal) streaming.set(callName(event), event.attempt)
    if (event.type === "answer.ended") streaming.delete(callName(event))
    return event.type === "attempt.sent" && (streaming.get(callName(event)) ?? event.attempt) < event.attempt
  }
}

/** Two requests are under way while one expectation is there for both. */
export const racingRequests: Goal<{ readonly pending: Set<string>; readonly sent: Set<string> }> = {
  label: "two calls race for one expectation",
  init: () => ({ pending: new Set(), sent: new Set() }),
  isReached(event, { pending, sent }) {
    if (event.type === "expectation") pending.add(event.name)
    if (event.type === "phase") pending.delete(event.expectation)
    if (event.type === "attempt.sent") sent.add(callName(event))
    if (event.type === "call.settled" || event.type === "attempt.arrived") sent.delete(callName(event))
    return event.type === "attempt.sent" && sent.size > 1 && pending.size === 1
  }
}

/** A duplicate joins a call that is live. */
export const replayJoined: Goal<null> = {
  label: "a replay beside its primary",
  init: () => null,
  isReached: (event) => event.type === "decision" && event.source === "replay"
}

/** A copy stands at a closed barrier. */
export const copyBlocked: Goal<null> = {
  label: "a copy waits at its barrier",
  init: () => null,
  isReached: (event) => event.type === "phase" && event.phase === "Blocked"
}

/** A call is aborted after an attempt of it failed and before the next one. */
export const abortInBackOff: Goal<Set<string>> = {
  label: "an abort during back-off",
  init: () => new Set(),
  isReached(event, backingOff) {
    if (event.type === "attempt.answered" && event.status >= 400) backingOff.add(callName(event))
    if (event.type === "answer.ended" && event.how === "cut") backingOff.add(callName(event))
    if (event.type === "attempt.sent" || event.type === "call.settled") backingOff.delete(callName(event))
    return event.type === "call.aborted" && backingOff.has(callName(event))
  }
}

/**
 * Situations in which the bugs of clients live.
 *
 * @since 0.1.0
 * @category oracles
 */
export const runGoals = { retryWhileStreaming, racingRequests, replayJoined, copyBlocked, abortInBackOff } as const
