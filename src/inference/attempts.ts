import { type ConversationRules, identify } from "../domain/conversation.ts"
import type { KnownAttempt } from "../domain/known-attempt.ts"
import type { Outcome } from "../domain/outcome.ts"
import type { InferenceRequest } from "./inference-request.ts"

/**
 * Counts the attempts of calls, once a test has asked for that.
 *
 * @since 0.1.0
 * @category sessions
 */
export interface Attempts {
  /** From now on attempts are counted. */
  turnOn(): void
  /** The place of a request in its conversation, `null` while nobody has asked for it. Counts it as an attempt. */
  begin(request: InferenceRequest): KnownAttempt | null
}

/** The last attempt of a call; `outcome` is `null` while it is being answered. */
interface Tried {
  readonly attempt: number
  status: number | null
  outcome: Outcome | null
}

/** An error that arrived whole is an answer, and yet what clients try again after. */
const isSuccess = ({ status, outcome }: Tried): boolean =>
  outcome === "completed" && status !== null && status < errorStatusMin

const errorStatusMin = 400

/** So many calls are remembered, the ones that were tried last. */
const callsMax = 4_096

/** @since 0.1.0 @category constructors */
export const makeAttempts = (rules: ConversationRules, isOn: boolean): Attempts => {
  const calls = new Map<string, Tried>()
  let isCounting = isOn
  return {
    turnOn() {
      isCounting = true
    },
    begin(request) {
      if (!isCounting) return null
      const conversation = identify({ ...request, headers: request.head.headers }, rules)
      // An idempotency key names the call by itself, whoever the session is taken for.
      const { session, call, callRule } = conversation
      const key = JSON.stringify(callRule === "fingerprint" ? [session, call] : [call])
      const earlier = calls.get(key)
      const isRetry = earlier !== undefined && !isSuccess(earlier)
      const current: Tried = { attempt: isRetry ? earlier.attempt + 1 : 1, status: null, outcome: null }
      calls.delete(key)
      calls.set(key, current)
      const [oldest] = calls.size > callsMax ? calls.keys() : []
      if (oldest !== undefined) calls.delete(oldest)
      return {
        ...conversation,
        key,
        attempt: current.attempt,
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
