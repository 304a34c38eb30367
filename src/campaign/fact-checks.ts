import { InvalidOption } from "../domain/errors.ts"
import { isRecord } from "../domain/json.ts"
import {
  aName,
  check,
  either,
  listOf,
  madeOf,
  milliseconds,
  type OptionCheck,
  oneOf,
  shown,
  someText,
  whole,
  yesOrNo
} from "../domain/option-checks.ts"
import type { RunFact } from "../oracles/run-event.ts"

/** What a fact of a type has to say, and what it may: a member that is added without a check does not compile. */
type FactChecks<Fact> = {
  readonly needs: { readonly [Name in keyof Fact as IsOptional<Fact, Name> extends true ? never : Name]: OptionCheck }
  readonly may: { readonly [Name in keyof Fact as IsOptional<Fact, Name> extends true ? Name : never]: OptionCheck }
}
type IsOptional<Fact, Name extends keyof Fact> = Record<never, never> extends Pick<Fact, Name> ? true : false
type Said<Type> = Omit<Extract<RunFact, { readonly type: Type }>, "type">

const none: OptionCheck = check((value) => value === null, "null")
const anything: OptionCheck = () => null
const aText: OptionCheck = check((value) => typeof value === "string", "a text")
const count = (least: number): OptionCheck => whole(least, Number.MAX_SAFE_INTEGER)

const call = { call: someText }
const attempt = { ...call, attempt: count(1) }
const barrier = { barrier: someText }
const resource = { kind: someText, resource: someText }

const facts: { readonly [Type in RunFact["type"]]: FactChecks<Said<Type>> } = {
  "call.started": { needs: call, may: {} },
  "call.aborted": { needs: call, may: {} },
  "call.settled": { needs: { ...call, as: oneOf(["completed", "failed"]) }, may: {} },
  "attempt.sent": { needs: attempt, may: { asks: aText, to: aText } },
  "attempt.arrived": {
    needs: { ...attempt, request: count(0) },
    may: { fingerprint: either(none, someText) }
  },
  "attempt.answered": {
    needs: { ...attempt, status: whole(100, 999), isStream: yesOrNo, retryAfterMs: either(none, milliseconds) },
    may: {}
  },
  "stream.resumed": { needs: { ...attempt, after: count(-1) }, may: {} },
  "stream.event": {
    needs: { ...attempt, position: either(none, count(0)), text: aText, isTerminal: yesOrNo },
    may: {}
  },
  "answer.ended": { needs: { ...attempt, how: oneOf(["end", "cut", "left"]), body: aText }, may: {} },
  "stream.full": { needs: { ...call, texts: listOf(aText) }, may: {} },
  "tool.executed": { needs: { ...call, tool: someText }, may: { place: someText } },
  "tool.settled": { needs: { ...call, tool: someText }, may: {} },
  "barrier.closed": { needs: { ...barrier, expectation: someText }, may: {} },
  "barrier.released": { needs: { barrier: either(none, someText), expectation: someText }, may: {} },
  "party.arrived": { needs: { ...barrier, parties: count(1) }, may: {} },
  "party.passed": { needs: barrier, may: {} },
  "party.left": { needs: barrier, may: {} },
  "resource.opened": { needs: resource, may: { since: milliseconds, madeAt: someText } },
  "resource.closed": { needs: resource, may: {} },
  "wait.began": { needs: { waitsFor: someText }, may: {} },
  "wait.ended": { needs: {}, may: {} },
  told: { needs: { what: someText }, may: { value: anything } },
  "faults.stopped": { needs: {}, may: {} },
  "run.ended": { needs: {}, may: {} }
}

/** Made once: a test may tell much. */
const checks = new Map<unknown, OptionCheck>(
  Object.entries(facts).map(([type, { needs, may }]) => [type, madeOf({ needs: { type: anything, ...needs }, may })])
)
const aType = oneOf([...Object.keys(facts)])

/**
 * Checks what a test tells of its run.
 *
 * **Fails** with `InvalidOption`, which says what to tell instead
 *
 * @since 0.1.0
 * @category guards
 */
export const checkFact = (fact: unknown, actor: unknown): void => {
  const problem = factProblem(fact) ?? aName(actor, "actor")
  if (problem !== null) throw new InvalidOption(`sim.tell(fact, actor): ${problem}`)
}

const factProblem = (fact: unknown): string | null => {
  if (!isRecord(fact)) return `fact is ${shown(fact)}; give an object, such as { type: "told", what: "takes the coin" }`
  const one = checks.get(fact["type"])
  return one === undefined ? aType(fact["type"], "fact.type") : one(fact, "fact")
}
