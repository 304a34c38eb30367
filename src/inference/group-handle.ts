import type { ExpectationHandle } from "./expectation-handle.ts"

/**
 * Several expectations under one handle: all of them (`times`), or alternatives of which one is claimed and the others
 * retire.
 *
 * Waits wait for every member that has not retired; `phase` is that of the member that is least far. A named barrier is
 * waited for and released in the members that have it; `waitBlocked` rejects and `release` throws when none has.
 *
 * @since 0.1.0
 * @category expectations
 */
export interface GroupHandle extends ExpectationHandle {
  /** The members, in order of registration. */
  readonly members: ReadonlyArray<ExpectationHandle>
}
