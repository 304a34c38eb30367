import fc from "fast-check"
import { type CheckOptions, checkProperty, isLeftOut, readSettings } from "./check.ts"
import type { Invariant } from "./invariants/account.ts"
import type { History } from "./model/command.ts"
import { runHistory } from "./observation/run-history.ts"

/** How long a test of laws may take: `RUNS` decides. */
export const patienceMs = 900_000

/** Laws that are tried on the same runs. */
export interface Laws {
  readonly titles: ReadonlyArray<string>
  /**
   * Checks one law.
   *
   * **Fails** with the smallest history found that breaks it, and the line that replays it
   */
  check(title: string): Promise<void>
}

/**
 * Tries many laws on one set of runs, and looks again for the smallest history for each that was broken; so a law costs
 * next to nothing while it holds.
 */
export const lawsOver = (
  arbitrary: fc.Arbitrary<History>,
  laws: Readonly<Record<string, Invariant>>,
  options: CheckOptions
): Laws => {
  let survey: Promise<ReadonlySet<string>> | null = null
  const brokenLaws = (): Promise<ReadonlySet<string>> => {
    survey ??= surveyOf(arbitrary, laws, options)
    return survey
  }
  return {
    titles: Object.keys(laws),
    async check(title) {
      const law = laws[title]
      if (law === undefined) throw new Error(`there is no law "${title}"`)
      if (isLeftOut(title)) return
      if (!isReplayed(title) && !(await brokenLaws()).has(title)) return
      const property = fc.asyncProperty(arbitrary, async (history) => law(history, await runHistory(history)))
      await checkProperty(title, property, options)
      if (!isReplayed(title)) throw new Error("the law was broken, and was not when its history was run again")
    }
  }
}

const isReplayed = (title: string): boolean => process.env["REPLAY"]?.startsWith(`${title}|`) === true

const surveyOf = async (
  arbitrary: fc.Arbitrary<History>,
  laws: Readonly<Record<string, Invariant>>,
  options: CheckOptions
): Promise<ReadonlySet<string>> => {
  const broken = new Set<string>()
  const property = fc.asyncProperty(arbitrary, async (history) => {
    for (const title of await brokenBy(history, laws)) broken.add(title)
  })
  await fc.check(property, readSettings("survey", options, process.env))
  return broken
}

const brokenBy = async (
  history: History,
  laws: Readonly<Record<string, Invariant>>
): Promise<ReadonlyArray<string>> => {
  try {
    const observations = await runHistory(history)
    return Object.keys(laws).filter((title) => !holds(() => laws[title]?.(history, observations)))
  } catch {
    // A server that throws has broken them all.
    return Object.keys(laws)
  }
}

const holds = (check: () => void): boolean => {
  try {
    check()
    return true
  } catch {
    return false
  }
}
