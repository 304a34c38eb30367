/**
 * A value that is made when it is first asked for.
 *
 * @since 0.1.0
 * @category running
 */
export const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
