/** What there is to know of a socket that output is written to. */
export interface WatchedOutput {
  readonly writableLength: number
  /** Calls `still` when nothing has been taken for so long. */
  setTimeout(ms: number, still: () => void): unknown
}

/** A reader that takes nothing for so long, in milliseconds, is not waited for any more when the command was told to stop. */
export const unreadMs = 5_000

/**
 * Ends a process that has only output left which nobody reads: it would stay until it is killed.
 *
 * **Takes** `exit`, called when each output that has something left has stood still for `unreadMs`
 *
 * @since 0.1.0
 * @category running
 */
export const leaveUnread = (outputs: ReadonlyArray<WatchedOutput>, { exit }: { readonly exit: () => void }): void => {
  const left = outputs.filter(({ writableLength }) => writableLength > 0)
  const still = new Set<unknown>()
  for (const output of left) {
    // Node's own look at it, for it sees what is taken of one write too: `writableLength` counts that until all of it is taken,
    // and 8 MiB are one write when a reader is that far behind.
    output.setTimeout(unreadMs, () => {
      still.add(output)
      if (still.size === left.length) exit()
    })
  }
}
