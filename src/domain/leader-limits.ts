/** A leader has this long to accept connections, before the timeout scale. Source: agent-harness.md, section 5.2 */
export const leaderReadyMs = 30_000

/** So often a leader that is not ready yet is looked at, and a lock file for a new leader. */
export const leaderPollMs = 50

/** So often a helper looks again. */
export const helperPollMs = 100

/** A leader that was asked to end, and one that was killed, has this long to be gone. */
export const leaderGraceMs = 2_000
export const leaderKillWaitMs = 2_000

/** How long a client of a leader is waited for, before the timeout scale. Source: agent-harness.md, section 5.3 */
export const leaderClientTimes = { initializeMs: 60_000, newSessionMs: 30_000, promptMs: 30_000 }

/** The highest number that a process can have. */
export const pidMax = 2_147_483_647

/** So many characters of the end of its log stand in an error. */
export const shownLogMax = 1_000
