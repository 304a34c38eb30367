import { type Barrier, type PlacedBarrier, placeBarriers } from "../domain/barrier.ts"
import { checkScript } from "../domain/check-script.ts"
import type { RequestClass } from "../domain/classification.ts"
import { inferenceEndpoints, type WireProfile } from "../domain/endpoint.ts"
import { DuplicateExpectation, InvalidScript } from "../domain/errors.ts"
import type { Fingerprint } from "../domain/fingerprint.ts"
import { describe, isRecord } from "../domain/json.ts"
import type { KnownAttempt } from "../domain/known-attempt.ts"
import { endpointsOf, type InferenceRequestMatcher } from "../domain/matcher.ts"
import { judgeCondition } from "../domain/request-condition.ts"
import type { ScriptedResponse } from "../domain/scripted-response.ts"
import type { Trace } from "../kernel/trace.ts"
import { wireResponse } from "../serving/scripted-plan.ts"
import type { Supervisor } from "../supervisor/supervisor.ts"
import { isForAttempt } from "./attempt-rule.ts"
import {
  type Expectation,
  type ExpectationData,
  type ExpectationHome,
  expectationKind,
  freshProgress,
  planOnce
} from "./expectation.ts"
import { type InferenceRequest, seen } from "./inference-request.ts"
import { once } from "./once.ts"
import { comparedMax, makePassedBy, type PassedRequest } from "./passed-by.ts"

/**
 * All expectations of a server: pending ones in order of registration, live calls by fingerprint, names in use. The
 * tables change in the same step as the charts.
 *
 * **Source** inference-server.md, sections 4 and 5
 *
 * @since 0.1.0
 * @category expectations
 */
export interface ExpectationBook extends ExpectationHome {
  /**
   * Registers all or none, in order; of alternatives the others retire when one is claimed.
   *
   * **Fails** with `InvalidScript` or `DuplicateExpectation`, and has then changed nothing
   */
  register(
    scripts: ReadonlyArray<ExpectationScript>,
    group?: { readonly isAlternatives?: boolean; readonly areAttempts?: boolean }
  ): ReadonlyArray<Expectation>
  /** The live call with this fingerprint. */
  live(fingerprint: Fingerprint): Expectation | undefined
  /** The oldest pending expectation for this request and try of its call, whose conditions all hold. */
  oldestPending(request: InferenceRequest): Expectation | undefined
  /** Pending expectations, oldest first; at most so many, where somebody says so: there may be a hundred thousand. */
  pending(most?: number): ReadonlyArray<Expectation>
  /** Whether a fingerprint can matter: something is pending for this class, or a call is live. */
  needsFingerprint(request: RequestClass): boolean
  claim(expectation: Expectation, fingerprint: Fingerprint | null, known: KnownAttempt | null): void
  join(expectation: Expectation): void
  /** Every expectation that has not settled, oldest first. */
  unsettled(): ReadonlyArray<Expectation>
  /** Notes a request that no expectation took while some were pending, for the message of a failed assertion. */
  notePassedBy(passed: Omit<PassedRequest, "pending">): void
  /** Names of expectations whose call was abandoned, oldest first; the newest are kept. */
  abandoned(): ReadonlyArray<string>
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
  /** The same all together. */
  const allPending = new Set<Expectation>()
  const live = new Map<Fingerprint, Expectation>()
  const names = new Map<string, Expectation>()
  const abandoned: Array<string> = []
  const passedBy = makePassedBy()

  const pendingFor = (request: RequestClass): Set<Expectation> => {
    const key = `${request.endpoint}/${request.kind}`
    const found = pending.get(key)
    if (found !== undefined) return found
    const made = new Set<Expectation>()
    pending.set(key, made)
    return made
  }

  /** Takes an expectation out of the pending ones; false when it was in none. */
  const unlist = (expectation: Expectation): boolean => {
    const { kind } = expectation.data.matcher
    allPending.delete(expectation)
    const lists = endpointsOf(expectation.data.matcher).map((endpoint) => pendingFor({ endpoint, kind }))
    return lists.map((list) => list.delete(expectation)).includes(true)
  }

  const add = ({ name, matcher, response, placed }: CheckedExpectation, group: GroupPlace) => {
    const ready = wireResponse(response, options.profile())
    const expectation = supervisor.spawn(
      expectationKind,
      { name, barriers: placed.map((barrier) => barrier.name) },
      {
        book,
        name,
        matcher: { ...matcher },
        siblings: group.siblings,
        chain: group.chain,
        response: ready,
        barriers: placed,
        plan: planOnce(ready, placed),
        progress: freshProgress()
      }
    )
    names.set(name, expectation)
    allPending.add(expectation)
    for (const endpoint of endpointsOf(matcher)) pendingFor({ endpoint, kind: matcher.kind }).add(expectation)
    // Which places the answer of a fault has is known when it is known whom it answers.
    const barriers = ready.fault === null ? placed.map((barrier) => barrier.name) : []
    trace.record({ type: "expectation", name, actor: expectation.id, barriers })
    return expectation
  }

  const book: ExpectationBook = {
    supervisor,
    trace,
    register(scripts, group = {}) {
      // All are checked before one is there, so that a failing registration leaves no trace.
      const checked = scripts.map(checkExpectation)
      const wanted = new Set<string>()
      for (const { name } of checked) {
        if (names.has(name) || wanted.has(name)) throw new DuplicateExpectation(name)
        wanted.add(name)
      }
      const siblings = new Set<Expectation>()
      const call = { begun: null }
      const chainOf = (index: number) => (group.areAttempts === true ? { attempt: index + 1, call } : null)
      const expectations = checked.map((script, index) => add(script, { siblings, chain: chainOf(index) }))
      if (group.isAlternatives === true) for (const expectation of expectations) siblings.add(expectation)
      return expectations
    },
    live: (fingerprint) => live.get(fingerprint),
    oldestPending(request) {
      const looked = once(() => seen(request))
      for (const expectation of pendingFor(request)) {
        if (!isForAttempt(expectation, request)) continue
        const { conditions = [] } = expectation.data.matcher
        if (conditions.every((condition) => judgeCondition(condition, looked()) === null)) return expectation
      }
      return undefined
    },
    pending: (most = Number.POSITIVE_INFINITY) => firstOf(allPending, most),
    needsFingerprint: (request) => live.size > 0 || pendingFor(request).size > 0,
    claim(expectation, fingerprint, known) {
      const { chain } = expectation.data
      if (chain !== null && known !== null && chain.attempt === 1) {
        const { first, place } = known
        chain.call.begun = { first, place }
      }
      unlist(expectation)
      for (const sibling of expectation.data.siblings) if (sibling !== expectation) book.withdraw(sibling)
      if (fingerprint !== null) live.set(fingerprint, expectation)
      supervisor.apply(expectation, { type: "claim", fingerprint })
    },
    join: (expectation) => supervisor.apply(expectation, { type: "join" }),
    retire(expectation) {
      const { fingerprint, primaryCrossed } = expectation.snapshot.context
      if (fingerprint !== null) live.delete(fingerprint)
      if (!primaryCrossed && abandoned.push(expectation.data.name) > abandonedMax) abandoned.shift()
      names.delete(expectation.data.name)
    },
    withdraw(expectation) {
      if (!unlist(expectation)) return false
      names.delete(expectation.data.name)
      supervisor.deliver(expectation, { type: "retire" })
      return true
    },
    unsettled: () => [...names.values()],
    abandoned: () => abandoned,
    notePassedBy(passed) {
      // One more than are compared, so that it is known whether these are all.
      if (names.size > 0) passedBy.note({ ...passed, pending: book.pending(comparedMax + 1) })
    },
    passedBy: passedBy.words
  }
  return book
}

const firstOf = <A>(all: Iterable<A>, most: number): ReadonlyArray<A> => {
  const found: Array<A> = []
  for (const one of all) {
    if (found.length >= most) break
    found.push(one)
  }
  return found
}

/** How an expectation belongs to the ones that were registered with it. */
type GroupPlace = Pick<ExpectationData, "siblings" | "chain">

/** So many names of abandoned expectations are kept. */
const abandonedMax = 1_024

/** An expectation that may be registered, as far as it alone is concerned. */
interface CheckedExpectation extends Pick<ExpectationScript, "name" | "matcher" | "response"> {
  readonly placed: ReadonlyArray<PlacedBarrier>
}

const checkExpectation = ({ name, matcher, response, barriers }: ExpectationScript): CheckedExpectation => {
  checkNaming(name, matcher)
  const checked = checkScript(response)
  if (!Array.isArray(barriers)) {
    throw new InvalidScript(`expectation \`${name}\` has barriers ${describe(barriers)}; use a list`)
  }
  return { name, matcher, response: checked, placed: placeBarriers(barriers, checked) }
}

/** What the types promise, for callers that have none. */
const checkNaming = (name: unknown, matcher: InferenceRequestMatcher): void => {
  if (typeof name !== "string") throw new InvalidScript(`an expectation is named ${describe(name)}; use a text`)
  const endpoints = isRecord(matcher) ? endpointsOf(matcher) : [undefined]
  const unknown = endpoints.findIndex((endpoint) => endpoint === undefined || !inferenceEndpoints.includes(endpoint))
  if (unknown >= 0) {
    const known = inferenceEndpoints.map(describe).join(", ")
    throw new InvalidScript(
      `expectation \`${name}\` is for endpoint ${describe(endpoints[unknown])}; use one of ${known}`
    )
  }
  const given: unknown = matcher.conditions ?? []
  if (!Array.isArray(given)) {
    throw new InvalidScript(`expectation \`${name}\` has conditions ${describe(given)}; use a list`)
  }
  for (const condition of matcher.conditions ?? []) {
    if (isRecord(condition) && typeof condition.description === "string" && typeof condition.test === "function")
      continue
    throw new InvalidScript(
      `expectation \`${name}\` has condition ${describe(condition)}; use RequestCondition or { description, test }`
    )
  }
  if (matcher.kind !== "foreground" && matcher.kind !== "auxiliary") {
    throw new InvalidScript(
      `expectation \`${name}\` is for kind ${describe(matcher.kind)}; use "foreground" or "auxiliary"`
    )
  }
}
