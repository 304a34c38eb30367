/** Who has connected says who it is within this time. */
export const registrationMs = 30_000

/** A leader that finds another one without a socket looks again so often, and for so long. */
export const leaderPollMs = 100
export const leaderEntryMs = 15_000

/** What is under way is given so long before a leader goes that was asked to make room for a newer one. */
export const relaunchGraceMs = 10_000

/** A leader that closes waits so long for its socket to be gone. */
export const leaderCloseMs = 1_000

/** The version of the protocol between a leader and its clients. */
export const leaderProtocolVersion = 1

/** A client that has started a leader looks for its socket so often, and for so long; and starts so many. */
export const spawnWaitMs = 10_000
export const spawnsMax = 3

/** A leader that holds the lock for so long without being reached is ended; it is given so long; and so many are. */
export const unreachableMs = 30_000
export const evictionGraceMs = 8_000
export const evictionsMax = 3

/** A client waits so long for the answer to its registration, and then for the leader to be ready. */
export const registeredMs = 10_000
export const leaderReadyMs = 120_000

/** Delays before a client looks for a leader again: the first one, which doubles, the longest, and how many. */
export const reconnectDelayMs = 1_000
export const reconnectDelayMsMax = 30_000
export const reconnectsMax = 5

/** What is said again to a new leader is answered within this time of silence, and all of it within this time. */
export const replaySilenceMs = 60_000
export const replayMs = 180_000

/** What comes from stdin while there is no leader is kept for so long, and so much of it. */
export const queuedMsMax = 300_000
export const queuedBytesMax = 2 * 67_108_864
