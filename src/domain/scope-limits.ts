import { drainMs, graceMsDefault, killWaitMsDefault, sweepPauseMs, sweepRoundsMax } from "./process-limits.ts"

/** How long the end of a process may take at most: what its own bounds come to. */
export const processReleaseMs = (options: {
  readonly graceMs?: number
  readonly killWaitMs?: number
  readonly drainMs?: number
}): number =>
  (options.graceMs ?? graceMsDefault) +
  (options.killWaitMs ?? killWaitMsDefault) +
  (options.drainMs ?? drainMs) +
  sweepRoundsMax * sweepPauseMs

/** The removal of a sandbox is tried for 2 s; a large tree takes longer. */
export const sandboxReleaseMs = 10_000

/** Whatever nothing else was said of. */
export const releaseMsDefault = processReleaseMs({})

/** A server says good-bye to its clients for a second. */
export const serverReleaseMs = 5_000

/** So many steps of charts are kept for failures. */
export const transitionsMax = 200
