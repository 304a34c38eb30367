import { noteFailure } from "../../domain/failure-details.ts"
import { Cancelled } from "../../domain/harness-scope-errors.ts"
import type { Transition } from "../../domain/transition.ts"
import { errorOf } from "../scope/scope-actor.ts"

/** What a body runs inside. */
export interface Surroundings {
  close(): Promise<void>
  transitions(): ReadonlyArray<Transition>
  tell(line: string): void
  /** Interrupts the body: it is waited for no longer, and everything is given back. */
  readonly signal: AbortSignal | undefined
}

/**
 * Runs a body, then closes what it ran inside, however it ended. The failure of the body counts more than that of the closing,
 * which is said and kept with it.
 *
 * **Fails** with what the body fails with; with `Cancelled` when it was interrupted; with what `close` fails with
 * **Source** agent-harness.md, section 7.6
 *
 * @since 0.1.0
 * @category running
 */
export const inside = async <A>(surroundings: Surroundings, body: () => Promise<A>): Promise<A> => {
  const { close, transitions, tell, signal } = surroundings
  const value = await interruptible(body, signal).catch(async (failure: unknown) => {
    noteFailure(failure, { transitions: transitions() })
    await close().catch((second: unknown) => {
      noteFailure(failure, { cleanup: errorOf(second) })
      tell(`warning: after the failure of the body, ${errorOf(second).message}`)
    })
    throw failure
  })
  await close()
  return value
}

const interruptible = async <A>(body: () => Promise<A>, signal: AbortSignal | undefined): Promise<A> => {
  if (signal === undefined) return body()
  const interrupted = (): Cancelled => new Cancelled("the body was interrupted", { cause: signal.reason })
  if (signal.aborted) throw interrupted()
  let forget = (): void => {}
  const interruption = new Promise<never>((_, reject) => {
    const listener = (): void => reject(interrupted())
    signal.addEventListener("abort", listener)
    forget = () => signal.removeEventListener("abort", listener)
  })
  try {
    return await Promise.race([body(), interruption])
  } finally {
    forget()
  }
}
