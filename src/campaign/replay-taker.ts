import { shownPath } from "./shown-path.ts"

/** Watches whether a test takes the token of `SIM_REPLAY`; all others are skipped, and a runner that skips all is content. */
export interface ReplayTaker {
  /**
   * A simulated test was registered, in a file if that is known; `takes` when it makes the run, `isTokenOfTest` when the token
   * is one of a simulated test.
   *
   * **Gives** whether it is the first of its file that does not
   */
  offer(test: { readonly file: string | null; readonly takes: boolean; readonly isTokenOfTest: boolean }): boolean
  /** All tests of a file are registered: says so when none of them takes the token. */
  fileEnded(file: string | null): void
}

/** So many files are named. */
const filesMax = 5

/**
 * **Takes** `say`, which tells people; `atEnd`, which is given what there is to do at the end of the process, where that is told;
 * `isFirst`: whether no other file of the run has said it or takes the token, asked by whoever does
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeReplayTaker = (
  say: (text: string) => void,
  atEnd: ((work: () => void) => void) | null,
  isFirst: () => boolean
): ReplayTaker => {
  const files = new Map<string | null, { tests: number; skipped: number; isTaken: boolean }>()
  let isOfTest = true
  const tell = (those: ReadonlyArray<string | null>): void => {
    const found = those.flatMap((file) => files.get(file) ?? [])
    if (found.length === 0 || found.some(({ isTaken }) => isTaken)) return
    if (!isFirst()) return
    const tests = found.reduce((sum, one) => sum + one.tests, 0)
    say(isOfTest ? untakenText(tests, those) : searchText(tests, those))
  }
  return {
    offer({ file, takes, isTokenOfTest }) {
      isOfTest = isTokenOfTest
      if (files.size === 0) atEnd?.(() => tell([...files.keys()]))
      if (takes) isFirst()
      const { tests, skipped, isTaken } = files.get(file) ?? { tests: 0, skipped: 0, isTaken: false }
      files.set(file, { tests: tests + 1, skipped: skipped + (takes ? 0 : 1), isTaken: isTaken || takes })
      return !takes && skipped === 0
    },
    fileEnded: (file) => tell([file])
  }
}

const untakenText = (tests: number, files: ReadonlyArray<string | null>): string =>
  `SIM_REPLAY: no test takes the token: none of the simulated tests${placesOf(files)} (${tests}) has the name of its test, and all ` +
  "of them are skipped; other files do not say so again. A test that was renamed takes it by the option first: [TOKEN]"

const searchText = (tests: number, files: ReadonlyArray<string | null>): string =>
  `SIM_REPLAY: the token is one of explore, exploreModule or fuzz, which try it first; the simulated tests${placesOf(files)} (${tests}) are skipped`

const placesOf = (files: ReadonlyArray<string | null>): string => {
  const known = files.flatMap((file) => (file === null ? [] : [shownPath(file)]))
  const named = known.slice(0, filesMax).join(", ")
  return named === "" ? "" : ` in ${named}${known.length > filesMax ? ", …" : ""}`
}
