/**
 * A wait whose rejection is no crash when nobody looks at it any more: a test that has ended does not, and its waits reject
 * when the server closes. Whoever awaits it gets the rejection all the same.
 *
 * @since 0.1.0
 * @category running
 */
export const outstandingWait = <A>(
  begin: (resolve: (value: A) => void, reject: (error: unknown) => void) => void
): Promise<A> => {
  const wait = new Promise<A>(begin)
  wait.catch(() => {})
  return wait
}
