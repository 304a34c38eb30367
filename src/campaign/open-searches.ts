import { callingPlace } from "../domain/calling-place.ts"

/** Knows which searches are going on, and says at the end of the process which of them nobody waited for. */
export interface OpenSearches {
  /** Makes a search; `below` is the function that was called for it. Gives, and fails with, what the search does. */
  during<A>(name: string, below: (...given: never) => unknown, search: () => Promise<A>): Promise<A>
}

/**
 * **Takes** `say`, which tells people at once; `atEnd`, which is given what there is to do when the process, or the worker of a
 * test runner, ends
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeOpenSearches = (say: (line: string) => void, atEnd: (work: () => void) => void): OpenSearches => {
  const open = new Set<{ readonly name: string; readonly place: string | null }>()
  let isWatching = false
  const tell = (): void => {
    for (const left of open) say(unfinishedText(left))
  }
  return {
    async during(name, below, search) {
      const one = { name, place: callingPlace(below) }
      if (!isWatching) atEnd(tell)
      isWatching = true
      open.add(one)
      try {
        return await search()
      } finally {
        open.delete(one)
      }
    }
  }
}

const unfinishedText = ({ name, place }: { readonly name: string; readonly place: string | null }): string =>
  `${name}${place === null ? "" : ` (${place})`} was still searching when the tests ended, so nobody knows what it finds: ` +
  "an `await` or a `return` is probably missing before it"
