/** A raw client that nobody waits on takes in so many lines, or bytes, and then lets the agent wait. */
export const unreadLinesMax = 1_024
export const unreadBytesMax = 8 * 1_024 * 1_024

/** Of the lines that a wait passed over, so many are shown, and of each so many characters. */
export const shownLinesMax = 3
export const shownLineMax = 200

/** Of a line that was passed over no more is kept until it is shown. */
export const passedLineMax = 65_536

/** After the end of its output an agent is given so long to have its last words on stderr read, once. */
export const lastWordsMs = 250

/** Responses that nobody has waited for yet, notifications, refusals and broken lines: the newest are kept. */
export const keptEntriesMax = 100_000
export const keptBytesMax = 67_108_864

/** So much may wait to be sent: two of the longest lines. */
export const unsentBytesMax = 2 * 67_108_864

/** How long an answer is waited for when nobody says, before the timeout scale. */
export const rawWaitMsDefault = 30_000
