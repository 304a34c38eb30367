import type { TraceEvent } from "../domain/trace-event.ts"
import { breach, firstBreach, type Judged, type Monitor } from "./monitor.ts"
import { requestName } from "./run-event.ts"

interface Registered {
  primary: number | null
  /** The phase that ended it. */
  end: string | null
}

interface Decided {
  readonly source: string
  /** Whether it came to nothing because another had claimed what was there. */
  readonly isLoser: boolean
  readonly since: number
  isSettled: boolean
}

interface ClaimState extends Judged {
  readonly expectations: Map<string, Registered>
  readonly decided: Map<number, Decided>
}

const final: ReadonlyArray<string> = ["Satisfied", "Abandoned", "Retired"]

/** Sources that are asked after the expectations. */
const later: ReadonlyArray<string> = ["queue", "unauthorized", "turn", "mode", "unexpected"]

/**
 * An expectation is claimed by one request at most, and never after its end; each request is decided on and settles once. Who
 * comes while another's claim is live and gets something else has a definite answer, within `answersWithinMs`, and not because
 * the server broke.
 *
 * **Source** inference-server.md, section 11, 1 and 15
 *
 * @since 0.1.0
 * @category oracles
 */
export const oneClaim = (options: { readonly answersWithinMs?: number } = {}): Monitor<ClaimState> => ({
  name: "one-claim",
  init: () => ({ breach: undefined, expectations: new Map(), decided: new Map() }),
  on(event, state) {
    switch (event.type) {
      case "expectation":
        state.expectations.set(event.name, { primary: null, end: null })
        break
      case "phase": {
        const known = state.expectations.get(event.expectation)
        if (known !== undefined && final.includes(event.phase)) known.end = event.phase
        break
      }
      case "decision":
        noteDecision(event, state)
        break
      case "settled": {
        const decided = state.decided.get(event.request)
        if (decided?.isSettled) breach(state, "a request settled twice", `${requestName(event.request)} settled twice`)
        if (decided !== undefined) decided.isSettled = true
        break
      }
      case "ended":
        noteEnd(event, state)
    }
    return state
  },
  hot: ({ decided }) =>
    [...decided]
      .filter(([, { isLoser, isSettled }]) => isLoser && !isSettled)
      .map(([request, { since }]) => ({
        what: "a loser got no answer",
        who: requestName(request),
        waitsFor: "an answer that is not another's",
        since,
        ...(options.answersWithinMs === undefined ? {} : { deadlineMs: options.answersWithinMs })
      })),
  fail: firstBreach
})

type Decision = Extract<TraceEvent, { readonly type: "decision" }>

const noteDecision = ({ request, source, expectation, at }: Decision, state: ClaimState): void => {
  const before = state.decided.get(request)
  // A held call is decided on when the test lets it go.
  if (before !== undefined && before.source !== "held")
    breach(state, "a request was decided on twice", `${requestName(request)} got ${before.source} and then ${source}`)
  const isLoser = later.includes(source) && [...state.expectations.values()].some(isLive)
  state.decided.set(request, { source, isLoser, since: at, isSettled: false })
  if (source === "expectation" && expectation !== null) noteClaim({ request, expectation }, state)
}

const noteClaim = (
  { request, expectation }: { readonly request: number; readonly expectation: string },
  state: ClaimState
): void => {
  const known = state.expectations.get(expectation) ?? { primary: null, end: null }
  const claims = `${requestName(request)} claimed "${expectation}"`
  if (known.primary !== null)
    breach(state, "two primaries of one expectation", `${claims}, and ${requestName(known.primary)} had claimed it`)
  else if (known.end !== null) breach(state, "a claim after the end", `${claims}, which was ${known.end}`)
  known.primary ??= request
  state.expectations.set(expectation, known)
}

const isLive = ({ primary, end }: Registered): boolean => primary !== null && end === null

const noteEnd = ({ request, outcome }: Extract<TraceEvent, { readonly type: "ended" }>, state: ClaimState): void => {
  const decided = state.decided.get(request)
  if (decided?.isLoser === true && outcome === "server_error")
    breach(state, "a loser got no definite answer", `${requestName(request)} lost its claim and ended as ${outcome}`)
}
