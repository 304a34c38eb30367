import { clip } from "../domain/clip.ts"
import type { Conversation } from "../domain/conversation.ts"
import { describe } from "../domain/json.ts"
import { withoutSecrets } from "../domain/secret-header.ts"
import { yesOrNo } from "../domain/yes-or-no.ts"
import type { Copy } from "../serving/copy.ts"
import type { CallFilter } from "./call-filter.ts"
import { type HeldState, owed } from "./held-call-state.ts"
import { type InferenceRequest, seen } from "./inference-request.ts"
import type { HeldParts } from "./make-held-call.ts"

/** One `next()` or `gather(n)` of a test: somebody who waits for requests. */
export interface Taker {
  /** As the test wrote it. */
  readonly words: string
  readonly filter: CallFilter
  /** Where the test asked for it. */
  readonly askedAt: string
  /** How many requests it is short of. */
  missing(): number
  /** Called in the step in which the copy of a request that fits starts. */
  take(parts: HeldParts): void
  /** Ends its wait: its condition `where` does not answer as conditions do. */
  refuse(error: unknown): void
  /** What its condition `where` threw so far: how often, and the first in words. */
  readonly thrown: { count: number; first: string }
}

/** Those who wait, in the order in which they asked. */
export interface Takers {
  add(taker: Taker): () => void
  /** The first whom a request fits; nobody has taken it yet. */
  find(request: InferenceRequest): { readonly taker: Taker; readonly conversation: Conversation } | undefined
  /** A request is about to be taken: whoever is then short of none waits no longer. */
  remove(taker: Taker): void
  /** Remembers a call in the hand of a test until the test has answered it, or its client has left. */
  hold(call: HeldState): void
  /** The copies that wait for the test: it took them, and did not answer or did not end its stream. */
  owed(): ReadonlySet<Copy>
  /** Calls that the test took and did not answer, then what it asked for and no request came for; one line each. */
  leftovers(): ReadonlyArray<string>
}

/** Settled calls are forgotten when so many are remembered, and later when twice as many are open. */
const rememberedMin = 64

/** @since 0.1.0 @category constructors */
export const makeTakers = (): Takers => {
  const waiting = new Set<Taker>()
  let held: Array<HeldState> = []
  let forgetAt = rememberedMin
  return {
    add(taker) {
      waiting.add(taker)
      return () => waiting.delete(taker)
    },
    find(request) {
      for (const taker of waiting) if (wants(taker, request)) return { taker, conversation: request.conversation() }
      return undefined
    },
    remove(taker) {
      if (taker.missing() <= 1) waiting.delete(taker)
    },
    hold(call) {
      if (held.length >= forgetAt) {
        held = held.filter((earlier) => owed(earlier) !== null)
        forgetAt = Math.max(rememberedMin, 2 * held.length)
      }
      held.push(call)
    },
    owed: () => new Set(held.filter((call) => owed(call) !== null).map(({ copy }) => copy)),
    leftovers: () => [...held.flatMap((call) => owed(call) ?? []), ...[...waiting].map(unmet)]
  }
}

const unmet = (taker: Taker): string => {
  const { words, askedAt, filter } = taker
  const count = taker.missing()
  const requests = count === 1 ? "request" : "requests"
  return `${words} at ${askedAt} waits for ${count} ${requests} more${wanted(filter)}${whatThrew(taker)}`
}

const wanted = ({ endpoint, kind, session, turn, attempt, where }: CallFilter): string => {
  const parts = [
    ...(endpoint === undefined ? [] : [endpoint]),
    ...(kind === undefined ? [] : [kind]),
    ...(session === undefined ? [] : [`session ${describe(session)}`]),
    ...(turn === undefined ? [] : [`turn ${turn}`]),
    ...(attempt === undefined ? [] : [`attempt ${attempt}`]),
    ...(where === undefined ? [] : ["its condition `where`"])
  ]
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`
}

/** What the condition `where` of a taker threw, for the end of a sentence; nothing where it did not. */
export const whatThrew = ({ thrown: { count, first } }: Taker): string => {
  if (count === 0) return ""
  return `; its condition \`where\` threw for ${count === 1 ? "one request" : `${count} requests, first`}: ${first}`
}

const wants = (taker: Taker, request: InferenceRequest): boolean => {
  const { endpoint, kind, session, turn, attempt, where } = taker.filter
  return (
    (endpoint === undefined || endpoint === request.endpoint) &&
    (kind === undefined || kind === request.kind) &&
    (session === undefined || session === request.conversation().session) &&
    (turn === undefined || turn === request.conversation().turn) &&
    (attempt === undefined || attempt === request.known?.attempt) &&
    (where === undefined || holds(taker, request, where))
  )
}

/** A condition that throws holds not, and is told of; one that does not answer as conditions do ends the wait. */
const holds = (taker: Taker, request: InferenceRequest, where: NonNullable<CallFilter["where"]>): boolean => {
  const { thrown } = taker
  let given: unknown
  try {
    given = where(seen(request))
  } catch (error) {
    if (++thrown.count === 1) thrown.first = shownError(error, request)
    return false
  }
  try {
    return yesOrNo("the condition `where`", given)
  } catch (error) {
    taker.refuse(error)
    return false
  }
}

/** What a condition threw is cut at so many characters, and shows no key of its request. */
const thrownLengthMax = 300

const shownError = (error: unknown, { head }: InferenceRequest): string =>
  clip(withoutSecrets(error instanceof Error ? String(error) : describe(error), head.headers), thrownLengthMax)
