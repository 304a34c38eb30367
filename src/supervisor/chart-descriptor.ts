/**
 * A descriptor such as `replay.*`, which matches `replay` and all that starts with `replay.`. Both are empty for `*`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Wildcard {
  readonly exact: string
  readonly prefix: string
}

/**
 * Null for a descriptor that matches only itself.
 *
 * @since 0.1.0
 * @category compiling
 */
export const readWildcard = (descriptor: string): Wildcard | null => {
  if (descriptor === "*") return { exact: "", prefix: "" }
  if (!descriptor.endsWith(".*")) return null
  return { exact: descriptor.slice(0, -2), prefix: descriptor.slice(0, -1) }
}

/**
 * Whether a wildcard matches a type.
 *
 * @since 0.1.0
 * @category compiling
 */
export const matchesWildcard = (wildcard: Wildcard, type: string): boolean =>
  type === wildcard.exact || type.startsWith(wildcard.prefix)

/**
 * Whether xstate can match the descriptor at all: a `*` must be the whole of it or the last part after a dot.
 *
 * @since 0.1.0
 * @category compiling
 */
export const isDescriptor = (descriptor: string): boolean => /^(\*|[^*]*(\.\*)?)$/.test(descriptor)

/**
 * The wildcards among the descriptors of one state, the longest first, as they are tried.
 *
 * @since 0.1.0
 * @category compiling
 */
export const wildcardsOf = (descriptors: ReadonlyArray<string>): ReadonlyArray<string> =>
  descriptors.filter((descriptor) => readWildcard(descriptor) !== null).sort((a, b) => b.length - a.length)

/**
 * Of the descriptors of one state, those that match a type: the type itself, then wildcards.
 *
 * @since 0.1.0
 * @category compiling
 */
export const matchingDescriptors = (descriptors: ReadonlyArray<string>, type: string): ReadonlyArray<string> => {
  const matching = wildcardsOf(descriptors).filter((descriptor) => {
    const wildcard = readWildcard(descriptor)
    return wildcard !== null && matchesWildcard(wildcard, type)
  })
  return descriptors.includes(type) ? [type, ...matching] : matching
}
