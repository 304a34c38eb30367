import type { RequestClass } from "../domain/classification.ts"
import { type Conversation, type ConversationRules, identify } from "../domain/conversation.ts"
import { sha256 } from "../domain/digest.ts"
import type { JsonBody } from "../domain/json.ts"
import type { KnownAttempt, RetryReason } from "../domain/known-attempt.ts"
import type { Outcome } from "../domain/outcome.ts"
import type { RequestHead } from "../domain/request.ts"

/** What is looked at of a request. */
export interface AttemptedRequest extends RequestClass {
  readonly head: RequestHead
  readonly body: JsonBody
}

/**
 * Counts the attempts of calls, once a test has asked for that.
 *
 * @since 0.1.0
 * @category sessions
 */
export interface Attempts {
  /** From now on attempts are counted. */
  turnOn(): void
  isOn(): boolean
  /**
   * The place of a request in its conversation, `null` while nobody has asked for it. Counts it as an attempt.
   *
   * **Takes** the request and its running number on the server
   */
  begin(request: AttemptedRequest, number: number): KnownAttempt | null
}

/** The last attempt of a call; `outcome` is `null` while it is being answered. */
interface Tried {
  readonly attempt: number
  readonly number: number
  /** The number of the first attempt. */
  readonly first: number
  place: number
  status: number | null
  outcome: Outcome | null
}

/** Why a request of the same call is another try after this one; `null` when this one was a success. */
const retryReason = ({ status, outcome }: Tried): RetryReason | null => {
  if (outcome === null) return "still open"
  if (outcome !== "completed") return outcome
  // An error that arrived whole is an answer, and yet what clients try again after.
  return status !== null && status < errorStatusMin ? null : "error status"
}

const errorStatusMin = 400

/** So many calls are remembered, the ones that were tried last. */
const callsMax = 4_096

/** Clients choose the names of sessions and calls: longer ones are remembered as a digest. */
const keyLengthMax = 256

const keyOf = ({ session, callRule, call }: Conversation): string => {
  const key = JSON.stringify([session, callRule, call])
  return key.length > keyLengthMax ? sha256(key) : key
}

/** @since 0.1.0 @category constructors */
export const makeAttempts = (rules: ConversationRules, isOn: boolean): Attempts => {
  const calls = new Map<string, Tried>()
  let isCounting = isOn
  return {
    turnOn() {
      isCounting = true
    },
    isOn: () => isCounting,
    begin(request, number) {
      if (!isCounting) return null
      const conversation = identify({ ...request, headers: request.head.headers }, rules)
      const key = keyOf(conversation)
      const earlier = calls.get(key)
      const because = earlier === undefined ? null : retryReason(earlier)
      const before = because === null ? undefined : earlier
      const current: Tried = {
        attempt: (before?.attempt ?? 0) + 1,
        number,
        first: before?.first ?? number,
        place: (before?.place ?? 0) + 1,
        status: null,
        outcome: null
      }
      calls.delete(key)
      calls.set(key, current)
      const [oldest] = calls.size > callsMax ? calls.keys() : []
      if (oldest !== undefined) calls.delete(oldest)
      return {
        ...conversation,
        attempt: current.attempt,
        first: current.first,
        repeats: earlier === undefined || because !== null ? null : { first: earlier.first, last: earlier.number },
        get place() {
          return current.place
        },
        retryOf: before?.number ?? null,
        because,
        joined() {
          current.place--
        },
        withdrawn() {
          // Who came after it was a retry of it, and stays one.
          if (calls.get(key) !== current) return
          calls.delete(key)
          if (earlier !== undefined) calls.set(key, earlier)
        },
        headSent(status) {
          current.status = status
        },
        ended(outcome) {
          current.outcome = outcome
        }
      }
    }
  }
}
