/** A silent stream says something this often. */
export const keepAliveMs = 15_000

/** Binding a port gives up after this long without an answer from the system. */
export const bindMsMax = 5_000

/** Between two attempts to have a port again. */
export const rebindPauseMs = 50

/** Responses in progress are given this long to finish when a server closes. */
export const drainMsDefault = 1_000

/** The longest delay that timers keep. */
export const delayMsMax = 2_147_483_647
