import { type Barrier, placeBarriers } from "../domain/barrier.ts"
import { checkScript } from "../domain/check-script.ts"
import type { RequestClass } from "../domain/classification.ts"
import { inferenceEndpoints, type WireProfile } from "../domain/endpoint.ts"
import { DuplicateExpectation, InvalidScript } from "../domain/errors.ts"
import type { Fingerprint } from "../domain/fingerprint.ts"
import { describe } from "../domain/json.ts"
import type { InferenceRequestMatcher } from "../domain/matcher.ts"
import type { ScriptedResponse } from "../domain/scripted-response.ts"
import type { Trace } from "../kernel/trace.ts"
import { wireResponse } from "../serving/scripted-plan.ts"
import type { Supervisor } from "../supervisor/supervisor.ts"
import { type Expectation, expectationKind, freshProgress, planOnce } from "./expectation.ts"

/**
 * All expectations of a server: pending ones in order of registration, live calls by fingerprint, names in use. The
 * tables change in the same step as the charts.
 *
 * **Source** inference-server.md, sections 4 and 5
 *
 * @since 0.1.0
 * @category expectations
 */
export interface ExpectationBook {
  readonly supervisor: Supervisor
  readonly trace: Trace
  /** **Fails** with `InvalidScript` or `DuplicateExpectation`, and has then changed nothing. */
  register(script: ExpectationScript): Expectation
  /** The live call with this fingerprint. */
  live(fingerprint: Fingerprint): Expectation | undefined
  /** The oldest pending expectation for this class. */
  oldestPending(request: RequestClass): Expectation | undefined
  /** Whether a fingerprint can matter: something is pending for this class, or a call is live. */
  needsFingerprint(request: RequestClass): boolean
  claim(expectation: Expectation, fingerprint: Fingerprint | null): void
  join(expectation: Expectation): void
  /** The call has settled: its fingerprint and its name are free. */
  retire(expectation: Expectation): void
  /** Takes a pending expectation out again; false when it was claimed already. */
  withdraw(expectation: Expectation): boolean
  /** Every expectation that has not settled, oldest first. */
  unsettled(): ReadonlyArray<Expectation>
}

/** What an expectation is registered with. */
export interface ExpectationScript {
  readonly name: string
  readonly matcher: InferenceRequestMatcher
  readonly response: ScriptedResponse
  readonly barriers: ReadonlyArray<Barrier>
}

/** @since 0.1.0 @category constructors */
export const makeExpectationBook = (options: {
  readonly supervisor: Supervisor
  readonly trace: Trace
  readonly profile: () => WireProfile
}): ExpectationBook => {
  const { supervisor, trace } = options
  // A Set keeps the order of registration, and taking its first member is cheap however many there are.
  const pending = new Map<string, Set<Expectation>>()
  const live = new Map<Fingerprint, Expectation>()
  const names = new Map<string, Expectation>()

  const pendingFor = (request: RequestClass): Set<Expectation> => {
    const key = `${request.endpoint}/${request.kind}`
    const found = pending.get(key)
    if (found !== undefined) return found
    const made = new Set<Expectation>()
    pending.set(key, made)
    return made
  }

  const book: ExpectationBook = {
    supervisor,
    trace,
    register({ name, matcher, response: written, barriers }) {
      const response = checkScript(written)
      checkNaming(name, matcher)
      const placed = placeBarriers(barriers, response)
      if (names.has(name)) throw new DuplicateExpectation(name)
      const ready = wireResponse(response, options.profile())
      const expectation = supervisor.spawn(
        expectationKind,
        { name, barriers: placed.map((barrier) => barrier.name) },
        {
          book,
          name,
          matcher: { endpoint: matcher.endpoint, kind: matcher.kind },
          response: ready,
          barriers: placed,
          plan: planOnce(ready, placed),
          progress: freshProgress()
        }
      )
      names.set(name, expectation)
      pendingFor(matcher).add(expectation)
      trace.record({ type: "expectation", name, actor: expectation.id })
      return expectation
    },
    live: (fingerprint) => live.get(fingerprint),
    oldestPending: (request) => pendingFor(request).values().next().value,
    needsFingerprint: (request) => live.size > 0 || pendingFor(request).size > 0,
    claim(expectation, fingerprint) {
      pendingFor(expectation.data.matcher).delete(expectation)
      if (fingerprint !== null) live.set(fingerprint, expectation)
      supervisor.apply(expectation, { type: "claim", fingerprint })
    },
    join: (expectation) => supervisor.apply(expectation, { type: "join" }),
    retire(expectation) {
      const { fingerprint } = expectation.snapshot.context
      if (fingerprint !== null) live.delete(fingerprint)
      names.delete(expectation.data.name)
    },
    withdraw(expectation) {
      if (!pendingFor(expectation.data.matcher).delete(expectation)) return false
      names.delete(expectation.data.name)
      supervisor.deliver(expectation, { type: "retire" })
      return true
    },
    unsettled: () => [...names.values()]
  }
  return book
}

/** What the types promise, for callers that have none. */
const checkNaming = (name: unknown, matcher: InferenceRequestMatcher): void => {
  if (typeof name !== "string") throw new InvalidScript(`an expectation is named ${describe(name)}; use a text`)
  if (!inferenceEndpoints.includes(matcher?.endpoint)) {
    const known = inferenceEndpoints.map(describe).join(", ")
    throw new InvalidScript(
      `expectation \`${name}\` is for endpoint ${describe(matcher?.endpoint)}; use one of ${known}`
    )
  }
  if (matcher.kind !== "foreground" && matcher.kind !== "auxiliary") {
    throw new InvalidScript(
      `expectation \`${name}\` is for kind ${describe(matcher.kind)}; use "foreground" or "auxiliary"`
    )
  }
}
