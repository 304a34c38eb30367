import { expectationMachine } from "../../machines/expectation.machine.ts"
import type { PlacedBarrier } from "../domain/barrier.ts"
import type { KnownAttempt } from "../domain/known-attempt.ts"
import type { InferenceRequestMatcher } from "../domain/matcher.ts"
import type { Phase } from "../domain/phase.ts"
import type { Plan } from "../domain/plan.ts"
import type { Trace } from "../kernel/trace.ts"
import type { Copy } from "../serving/copy.ts"
import { planOf, type WireResponse } from "../serving/scripted-plan.ts"
import { compileChart } from "../supervisor/chart.ts"
import { type Actor, actorKind, type Supervisor } from "../supervisor/supervisor.ts"

/** What an expectation was registered with, and who waits for it. */
export interface ExpectationData {
  readonly book: ExpectationHome
  readonly name: string
  readonly matcher: InferenceRequestMatcher
  /** Which try of a call it is for; `null` for any first one, however it is registered. */
  readonly chain: AttemptChain | null
  /** It and its alternatives. */
  readonly siblings: ReadonlySet<Expectation>
  readonly response: WireResponse
  readonly barriers: ReadonlyArray<PlacedBarrier>
  /** The plan without pacing, made once and shared by all copies of the call. `fault` makes that of a fault. */
  readonly plan: (fault: () => Plan) => Plan
  readonly progress: Progress
}

/** What an expectation knows of the book that keeps it. */
export interface ExpectationHome {
  readonly supervisor: Supervisor
  readonly trace: Trace
  /** The call has settled: its fingerprint and its name are free. */
  retire(expectation: Expectation): void
  /** The newest requests that passed it by, in words, with the differences. */
  passedBy(expectation: Expectation): ReadonlyArray<string>
  /** Takes a pending expectation out again; false when it was claimed already. */
  withdraw(expectation: Expectation): boolean
}

/**
 * The answers to the attempts of one call: the first may be anybody's, the others belong to the call of who took it, each to
 * the try of its number.
 */
export interface AttemptChain {
  readonly attempt: number
  /** The try that took the first; `null` before. */
  readonly call: { begun: Pick<KnownAttempt, "first" | "place"> | null }
}

/** What has been published so far; only the performers below write it. */
export interface Progress {
  phase: Phase
  wasBlocked: boolean
  claims: number
  /** Whether all of the primary's answer has left to the transport; `null` while that is open. */
  isDelivered: boolean | null
  readonly reached: Set<string>
  /** Copies that stand at a closed barrier, by its name. */
  readonly waiting: Map<string, Set<Copy>>
  /** Called after each change. */
  readonly watchers: Set<() => void>
}

/** The progress of an expectation that nobody has claimed. */
export const freshProgress = (): Progress => ({
  phase: "Pending",
  wasBlocked: false,
  claims: 0,
  isDelivered: null,
  reached: new Set(),
  waiting: new Map(),
  watchers: new Set()
})

/** One expectation under the supervisor. */
export type Expectation = Actor<typeof expectationMachine, ExpectationData>

/** The chart of an expectation and what performs its actions: progress, trace, tables of the book. */
export const expectationKind = actorKind<typeof expectationMachine, ExpectationData>(compileChart(expectationMachine), {
  publish({ phase }, { data }) {
    data.progress.phase = phase
    if (phase === "Blocked") data.progress.wasBlocked = true
    data.book.trace.record({ type: "phase", expectation: data.name, phase })
    notify(data.progress)
  },
  countClaims({ claims }, { data }) {
    data.progress.claims = claims
    notify(data.progress)
  },
  reach({ barrier }, { data }) {
    data.progress.reached.add(barrier)
    notify(data.progress)
  },
  wakeCopies({ barrier }, { data }) {
    const { waiting } = data.progress
    const { supervisor } = data.book
    const names = barrier === null ? [...waiting.keys()] : [barrier]
    const copies = names.flatMap((name) => [...(waiting.get(name) ?? [])])
    for (const name of names) waiting.delete(name)
    if (copies.length === 0) return
    supervisor.postpone("release", () => {
      for (const copy of copies) supervisor.deliver(copy, { type: "barrier.opened" })
    })
  },
  retireCall: (_, expectation) => expectation.data.book.retire(expectation)
})

const notify = (progress: Progress): void => {
  for (const tell of [...progress.watchers]) tell()
}

/** A copy of the call arrives at a barrier: the primary says so, and it goes on at once where the barrier is open. */
export const arriveAtBarrier = (
  expectation: Expectation,
  copy: Copy,
  options: { readonly request: number; readonly barrier: string; readonly isPrimary: boolean }
): void => {
  const { supervisor, trace } = expectation.data.book
  const { waiting } = expectation.data.progress
  const { request, barrier, isPrimary } = options
  trace.record({ type: "barrier.reached", request, expectation: expectation.data.name, barrier })
  if (isPrimary) supervisor.deliver(expectation, { type: "primary.atBarrier", barrier })
  if (!expectation.snapshot.context.closed.includes(barrier)) {
    supervisor.deliver(copy, { type: "barrier.opened" })
    return
  }
  const copies = waiting.get(barrier)
  if (copies === undefined) waiting.set(barrier, new Set([copy]))
  else copies.add(copy)
}

/** The copy waits no more; its client has left. */
export const leaveBarriers = (expectation: Expectation, copy: Copy): void => {
  for (const copies of expectation.data.progress.waiting.values()) copies.delete(copy)
}

/** The plan of one more copy of the call, with the pacing of its own request. */
export const planForCopy = (data: ExpectationData, delayMs: number | null, fault: () => Plan): Plan =>
  delayMs === null || data.response.fault !== null
    ? data.plan(fault)
    : planOf(data.response, { delayMs, barriers: data.barriers, owner: "call" })

/** A plan made on first use and kept. */
export const planOnce = (response: WireResponse, barriers: ReadonlyArray<PlacedBarrier>): ExpectationData["plan"] => {
  let plan: Plan | null = null
  return (fault) => {
    plan ??= response.fault === null ? planOf(response, { delayMs: null, barriers, owner: "call" }) : fault()
    return plan
  }
}

/** The primary's answer has left, or its client went before. */
export const noteDelivery = ({ data: { progress } }: Expectation, isDelivered: boolean): void => {
  progress.isDelivered ??= isDelivered
  notify(progress)
}
