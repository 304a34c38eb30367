import { noteFailure } from "../../domain/failure-details.ts"
import type { Transition } from "../../domain/transition.ts"

/** What knows the last steps of all charts. */
export interface Noting {
  transitions(): ReadonlyArray<Transition>
}

/** Does something; when it fails, what the charts did last is kept with the failure. */
export const noted = async <A>({ transitions }: Noting, work: () => Promise<A>): Promise<A> => {
  try {
    return await work()
  } catch (failure) {
    noteFailure(failure, { transitions: transitions() })
    throw failure
  }
}
