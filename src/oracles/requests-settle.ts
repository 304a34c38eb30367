import type { Monitor } from "./monitor.ts"
import type { SeenEvent } from "./run-event.ts"
import { requestName } from "./run-event.ts"

interface Request {
  readonly since: number
  readonly expectation: string | null
  isHeld: boolean
  isDecided: boolean
  /** Whether its copy stands at a barrier. */
  isBarred: boolean
  isSettled: boolean
  /** The fault whose answer never ends. */
  silence: string | null
}

interface RequestsState {
  readonly requests: Map<number, Request>
  /** The request of each copy. */
  readonly copies: Map<number, number>
}

/**
 * Every request that reached the server comes to its end. One that does not says what it waits for: the release of a barrier, a
 * test that holds it, its client.
 *
 * **Source** inference-server.md, section 11, 27
 *
 * @since 0.1.0
 * @category oracles
 */
export const requestsSettle = (options: { readonly settlesWithinMs?: number } = {}): Monitor<RequestsState> => ({
  name: "requests-settle",
  init: () => ({ requests: new Map(), copies: new Map() }),
  on(event, state) {
    note(event, state)
    return state
  },
  hot: ({ requests }) =>
    [...requests].map(([number, request]) => ({
      what: whatOf(request),
      who: requestName(number),
      waitsFor: waitedFor(request),
      since: request.since,
      ...(options.settlesWithinMs === undefined ? {} : { deadlineMs: options.settlesWithinMs })
    }))
})

const note = (event: SeenEvent, { requests, copies }: RequestsState): void => {
  switch (event.type) {
    case "request":
      requests.set(event.request, {
        since: event.at,
        expectation: null,
        isHeld: false,
        isDecided: false,
        isBarred: false,
        isSettled: false,
        silence: null
      })
      return
    case "decision": {
      const request = requests.get(event.request)
      if (request === undefined) return
      const { expectation, source } = event
      requests.set(event.request, { ...request, expectation, isDecided: true, isHeld: source === "held" })
      copies.set(event.actor, event.request)
      return
    }
    case "fault": {
      const request = requests.get(event.request)
      const isSilent = event.ending === "stall" || event.ending === "vanish"
      if (request !== undefined && isSilent) request.silence = event.behavior
      return
    }
    case "step": {
      const request = requests.get(copies.get(event.actor) ?? 0)
      if (request !== undefined && event.chart === "copy") request.isBarred = event.state.endsWith("barred")
      return
    }
    case "settled": {
      const request = requests.get(event.request)
      if (request !== undefined) request.isSettled = true
      return
    }
    case "ended":
      requests.delete(event.request)
  }
}

const whatOf = ({ isDecided, isHeld, isBarred, isSettled }: Request): string => {
  if (isSettled) return "an answer has no end"
  if (!isDecided) return "a request has no answer"
  if (isHeld) return "a request is held"
  return isBarred ? "a copy is held at a barrier" : "a copy has not settled"
}

const waitedFor = ({ isDecided, isHeld, isBarred, isSettled, expectation, silence }: Request): string => {
  if (isSettled)
    return silence === null ? "its client, to read it or leave" : `its client, to leave: ${silence} is silent`
  if (!isDecided) return "the server, to answer"
  if (isHeld) return "the test, which holds it"
  if (!isBarred) return "its next step"
  return expectation === null ? "the completion gate" : `the release of "${expectation}"`
}
