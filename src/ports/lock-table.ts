/**
 * Who holds the locks on files that the kernel of a machine knows of.
 *
 * @since 0.1.0
 * @category services
 */
export interface LockTable {
  /** The process that holds the exclusive lock (`flock`) on a file; `null` when nobody does, or the machine does not say. */
  holder(path: string): Promise<number | null>
}
