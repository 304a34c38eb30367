/** A process that was asked to end is given this long before it is killed. */
export const graceMsDefault = 500

/** A process that was killed is given this long to be gone. */
export const killWaitMsDefault = 5_000

/** After the end of a process its output is read for at most this long. */
export const drainMs = 1_000

/** The end of a process that is dropped, or that cannot be owned, is waited for no longer than this. */
export const reapMsMax = 250

/** So often those are killed that left the group of their process and still carry its mark. */
export const sweepRoundsMax = 5

/** Between two such rounds. */
export const sweepPauseMs = 20

/** So much is kept of the end of each output stream. */
export const tailBytesDefault = 65_536

/** Of the errors that signals met, so many are kept of one process. */
export const processProblemsMax = 16
