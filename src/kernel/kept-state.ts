/**
 * What parts of a world keep beside the kernel, and what comes next depends on: an outlook without it takes two states for one.
 *
 * @since 0.1.0
 * @category kernel
 */
export interface KeptState {
  /** Adds what somebody keeps; what it gives takes it away. */
  add(tell: () => string): () => void
  /** All of it, in an order that does not depend on who came first. */
  text(): string
  /** Says that it will be asked for; until then nobody needs to note what is only told here. */
  want(): void
  isWanted(): boolean
}

/** @since 0.1.0 @category constructors */
export const makeKeptState = (): KeptState => {
  const parts = new Set<() => string>()
  let isWanted = false
  return {
    add(tell) {
      parts.add(tell)
      return () => void parts.delete(tell)
    },
    text: () =>
      [...parts]
        .map((tell) => tell())
        .sort()
        .join(" "),
    want() {
      isWanted = true
    },
    isWanted: () => isWanted
  }
}
