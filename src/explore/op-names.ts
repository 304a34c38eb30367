import type { Op } from "../kernel/op.ts"

/**
 * Numbers for operations that are the same in every order of a program: an operation is named by the one that planned it and
 * its place among what that planned.
 *
 * @since 0.1.0
 * @category exploring
 */
export interface OpNames {
  /** A new run begins; names of earlier runs stay. */
  restart(): void
  /** To be asked for every operation that happens, before or when it does. */
  nameOf(op: Op): number
}

/** @since 0.1.0 @category constructors */
export const makeOpNames = (): OpNames => {
  const names = new Map<string, number>()
  const named = new Map<number, number>()
  return {
    restart: () => named.clear(),
    nameOf(op) {
      const known = named.get(op.id)
      if (known !== undefined) return known
      const path = `${op.causedBy === null ? "" : (named.get(op.causedBy) ?? "?")}.${op.nth}`
      const name = names.get(path) ?? names.size
      names.set(path, name)
      named.set(op.id, name)
      return name
    }
  }
}
