/** How long the work of an agent is waited for, before the timeout scale. Source: agent-harness.md, section 2.4 */
export const initializeMs = 20_000
export const shortCallMs = 20_000
export const promptMs = 30_000
export const loadSessionMs = 60_000

/** An agent whose input cannot be written any more has this long to be seen to end. */
export const unsentMs = 250

/** After the end of its output an agent has this long to end itself. */
export const exitMsMax = 1_000

/** So much of a wire is kept, the newest of it. */
export const wireLogBytesMax = 67_108_864
export const wireLogEntriesMax = 100_000

/** So many broken rules, lines of noise, permissions and notifications are kept of a session, the newest of each. */
export const recordsMax = 10_000

/** The same in bytes of memory, by an estimate; one counts for half of it at most. */
export const recordBytesMax = 8_388_608

/** Names that an agent gives are counted one by one up to this length; longer ones count in the sums alone. */
export const countedNameMax = 1_000

/** So many characters of the end of stderr stand in an error. */
export const shownStderrMax = 1_200
