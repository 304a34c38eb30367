/** What the script of the n-th `register` command is called, so that clients can tell whose answer they got. */
export const expectationLabel = (number: number): string => `expectation-${number}`

/** The same for the n-th `enqueue` command. */
export const queueLabel = (number: number): string => `queued-${number}`
