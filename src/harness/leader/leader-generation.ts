/**
 * Who leads, as the lock file says it, from the beginning of the watch on. What comes and goes between two looks is not seen.
 *
 * **Source** agent-harness.md, section 7.4
 *
 * @since 0.1.0
 * @category services
 */
export interface LeaderWatch {
  /** The leader that runs; `null` while none was seen, or the last one has gone. */
  pid(): number | null
  /** How many different leaders were seen, one after the other. */
  generation(): number
  /** Their numbers, oldest first, the newest 1,000. */
  seen(): ReadonlyArray<number>
  stop(): void
}
