/** What an operation of a simulated world is. */
export type OpKind = "deliver" | "timer" | "task"

/**
 * What is said of an operation when it is planned. Operations of one `channel` happen in the order in which they were
 * planned. Two operations that touch nothing in common may happen in either order without a difference; one without `touches`
 * may touch anything, such as the memory that clients of one process share.
 *
 * @since 0.1.0
 * @category kernel
 */
export interface OpSpec {
  readonly kind: OpKind
  /** What happens, for traces: `net/segment`, `timer`. Equal in every run. */
  readonly label: string
  /** To whom it happens. */
  readonly actor: string
  /** Who sent it, where it is a message. Its cause need not be of the same actor: promises of one go on in the step of another. */
  readonly from?: string | undefined
  readonly channel?: string | undefined
  readonly touches?: ReadonlyArray<string> | undefined
  /** It is never late: nothing that is due after it happens before it, however free the order is. */
  readonly isPrompt?: boolean | undefined
}

/**
 * A planned operation. `due` is in milliseconds of virtual time. Each operation belongs to a chain: the first one that an
 * operation plans carries on its chain, every other begins one of its own.
 *
 * **Source** simulation.md, section 5.2
 *
 * @since 0.1.0
 * @category kernel
 */
export interface Op extends OpSpec {
  /** Running number in its run, from 1. */
  readonly id: number
  readonly due: number
  readonly chain: number
  /** The operation during which it was planned; `null` for what was planned from outside. */
  readonly causedBy: number | null
  /** Which it is, from 0, of those that its cause planned. With the causes before it, that names it in every order. */
  readonly nth: number
}
