/**
 * One operation of a concurrent history. It took effect at some moment between `called` and its return, which is `null` while
 * it is pending: then it took effect after `called`, or never. Moments may be times or positions; equal ones overlap.
 *
 * @since 0.1.0
 * @category histories
 */
export interface Operation<I, O> {
  readonly process: string
  /** Operations on different keys have nothing to do with each other. Default: one key for all. */
  readonly key?: string
  readonly input: I
  readonly called: number
  readonly returned: { readonly at: number; readonly output: O } | null
}

/** The operations of a history on each key, each in the order in which they were called. */
export const partition = <I, O>(
  history: ReadonlyArray<Operation<I, O>>
): ReadonlyMap<string, ReadonlyArray<Operation<I, O>>> => {
  const parts = new Map<string, Array<Operation<I, O>>>()
  for (const operation of history) {
    const key = operation.key ?? ""
    const part = parts.get(key)
    if (part === undefined) parts.set(key, [operation])
    else part.push(operation)
  }
  for (const part of parts.values()) part.sort((a, b) => a.called - b.called)
  return parts
}

/** A call or a return, in the order in which they happened. */
export interface Moment<I, O> {
  readonly type: "called" | "returned"
  readonly at: number
  readonly operation: Operation<I, O>
}

/** At one moment calls come first: operations that touch overlap. */
export const momentsOf = <I, O>(operations: ReadonlyArray<Operation<I, O>>): ReadonlyArray<Moment<I, O>> => {
  const moments = operations.flatMap((operation): ReadonlyArray<Moment<I, O>> => {
    const called = { type: "called" as const, at: operation.called, operation }
    return operation.returned === null ? [called] : [called, { type: "returned", at: operation.returned.at, operation }]
  })
  const rank = ({ type }: Moment<I, O>): number => (type === "called" ? 0 : 1)
  return moments.toSorted((a, b) => a.at - b.at || rank(a) - rank(b))
}

/** The history up to a moment: what returned later is pending. */
export const prefixUntil = <I, O>(
  operations: ReadonlyArray<Operation<I, O>>,
  at: number
): ReadonlyArray<Operation<I, O>> =>
  operations
    .filter(({ called }) => called <= at)
    .map((operation) =>
      operation.returned !== null && operation.returned.at > at ? { ...operation, returned: null } : operation
    )
