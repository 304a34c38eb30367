import { delayMsMax } from "../../domain/durations.ts"
import { InvalidOption } from "../../domain/errors.ts"
import { Cancelled } from "../../domain/harness-scope-errors.ts"
import { isRecord } from "../../domain/json.ts"
import { check, checkOption, members, type OptionCheck, shown, someText } from "../../domain/option-checks.ts"
import type { JsonRecord } from "./json-record.ts"
import { brokenResult, endError, orFault, type SessionActor, type SessionCore } from "./session-core.ts"
import type { WaitOptions } from "./wait-options.ts"

/** A call of the agent, as an operation makes it. */
export interface Operation {
  readonly method: string
  readonly params: unknown
  /** What it is called in errors; the method by default. */
  readonly what?: string
  readonly options: WaitOptions | undefined
  /** When the caller says nothing. */
  readonly defaultMs: number | null
  /** What the line about its duration calls it; none without. */
  readonly timed?: string
}

const waitOptions: OptionCheck = members({
  deadlineMs: () => null,
  signal: check((value) => value instanceof AbortSignal, "an AbortSignal")
})

/**
 * How long a wait for the agent is, with the timeout scale.
 *
 * **Fails** with `InvalidOption`
 *
 * @since 0.1.0
 * @category time
 */
export const scaledMs = (
  core: SessionCore,
  asked: number | null | undefined,
  defaultMs: number | null
): number | null => {
  const ms = asked === undefined ? defaultMs : asked
  if (ms === null) return null
  if (typeof ms !== "number" || !(ms >= 0 && ms <= delayMsMax))
    throw new InvalidOption(`deadlineMs is ${shown(ms)}; give milliseconds from 0 to ${delayMsMax}, or null for none`)
  return Math.min(delayMsMax, ms * core.world.timeoutScale())
}

/**
 * Calls the agent. Gives its result as it came.
 *
 * **Fails** with `AgentError`, `RequestTimeout`, `AgentClosed`, `AgentInputClosed`, `ProtocolViolation`, `Cancelled`
 *
 * @since 0.1.0
 * @category sessions
 */
export const callAgent = async (session: SessionActor, operation: Operation): Promise<unknown> => {
  const { method, params, what = method, options = {}, defaultMs, timed } = operation
  const core = session.data
  checkOption(someText, method, "the method")
  checkOption(waitOptions, options)
  const ms = scaledMs(core, options.deadlineMs, defaultMs)
  if (options.signal?.aborted === true) throw new Cancelled(`${what} was given up before it was sent`)
  return withTiming(core, timed, () =>
    orFault(
      core,
      new Promise((resolve, reject) => {
        const give = (): void => abandon()
        const abandon = core.calls.open({
          method,
          params,
          what,
          ms,
          settled(outcome) {
            options.signal?.removeEventListener("abort", give)
            if (outcome.kind === "result") resolve(outcome.result)
            else reject(outcome.error)
          }
        })
        options.signal?.addEventListener("abort", give)
      })
    )
  )
}

/** The same for a call whose result is an object. */
export const callForRecord = async (session: SessionActor, operation: Operation): Promise<JsonRecord> => {
  const result = await callAgent(session, operation)
  // Some agents answer what has nothing to say with null.
  if (result === null) return {}
  if (isRecord(result)) return result
  throw brokenResult(session.data, `the result of ${operation.what ?? operation.method} is an object`, result)
}

/**
 * `initialize` and, where the profile has it, `authenticate`.
 *
 * @since 0.1.0
 * @category sessions
 */
export const shakeHands = async (
  session: SessionActor,
  options: { readonly deadlineMs?: number | null; readonly defaultMs: number; readonly allowOtherVersion?: boolean }
): Promise<JsonRecord> => {
  const core = session.data
  const { supervisor, clock } = core.world
  const ms = scaledMs(core, options.deadlineMs, options.defaultMs)
  if (core.handshake !== null) throw new InvalidOption("initialize is under way; wait for it before you ask again")
  if (session.snapshot.status !== "active") throw endError(core)
  return withTiming(core, "initialize", () =>
    orFault(
      core,
      new Promise((resolve, reject) => {
        core.handshake = {
          ms,
          startedAt: clock.now(),
          allowOtherVersion: options.allowOtherVersion ?? false,
          result: {},
          methodId: "",
          resolve,
          reject
        }
        supervisor.deliver(session, { type: "initialize" })
      })
    )
  )
}

/** Says how long something took when it is over, however it ended. */
const withTiming = async <A>(core: SessionCore, what: string | undefined, work: () => Promise<A>): Promise<A> => {
  const { clock, tell } = core.world
  const startedAt = clock.now()
  try {
    return await work()
  } finally {
    if (what !== undefined && core.parts.timing !== false)
      tell(`[harness-timing] ${what}: ${Math.round(clock.now() - startedAt)} ms`)
  }
}
