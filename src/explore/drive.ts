import { type Outcome, thrownOutcome } from "./outcome.ts"

/** Runs the program once. */
export type Attempt = () => Outcome | PromiseLike<Outcome>

/** Work that goes on from outcome to outcome, whether runs are synchronous or not. */
export type Attempts<R> = Generator<Attempt, R, Outcome>

/**
 * Makes attempts until the work is done: at once when no run gives a promise. What a run throws is its outcome.
 *
 * @since 0.1.0
 * @category exploring
 */
export const drive = <R>(work: Attempts<R>): R | Promise<R> => {
  let next = work.next()
  while (next.done !== true) {
    const outcome = made(next.value)
    if (isPromise(outcome)) return driveOn(work, outcome)
    next = work.next(outcome)
  }
  return next.value
}

const driveOn = async <R>(work: Attempts<R>, first: PromiseLike<Outcome>): Promise<R> => {
  let outcome = await settled(first)
  for (;;) {
    const next = work.next(outcome)
    if (next.done === true) return next.value
    outcome = await settled(made(next.value))
  }
}

const made = (attempt: Attempt): Outcome | PromiseLike<Outcome> => {
  try {
    return attempt()
  } catch (error) {
    return thrownOutcome(error)
  }
}

const settled = async (outcome: Outcome | PromiseLike<Outcome>): Promise<Outcome> => {
  try {
    return await outcome
  } catch (error) {
    return thrownOutcome(error)
  }
}

const isPromise = (outcome: Outcome | PromiseLike<Outcome>): outcome is PromiseLike<Outcome> => "then" in outcome
