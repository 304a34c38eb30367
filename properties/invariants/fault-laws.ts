import fc from "fast-check"
import { type CheckOptions, checkProperty, isLeftOut, readSettings } from "../check.ts"
import type { FaultHistory } from "../model/fault-history.ts"
import { runFaultHistory } from "../observation/fault-history-run.ts"
import type { FaultLaw } from "./fault-account.ts"

/** Laws of fault servers that are tried on the same runs. */
export interface FaultLaws {
  readonly titles: ReadonlyArray<string>
  /**
   * Checks one law.
   *
   * **Fails** with the smallest history found that breaks it, and the line that replays it
   */
  check(title: string): Promise<void>
}

/** Tries many laws on one set of runs, and looks again for the smallest history for each that was broken. */
export const faultLawsOver = (
  arbitrary: fc.Arbitrary<FaultHistory>,
  laws: Readonly<Record<string, FaultLaw>>,
  options: CheckOptions
): FaultLaws => {
  let survey: Promise<ReadonlySet<string>> | null = null
  return {
    titles: Object.keys(laws),
    async check(title) {
      const law = laws[title]
      if (law === undefined) throw new Error(`there is no law "${title}"`)
      if (isLeftOut(title)) return
      const isReplayed = process.env["REPLAY"]?.startsWith(`${title}|`) === true
      survey ??= isReplayed ? null : surveyOf(arbitrary, laws, options)
      if (survey !== null && !(await survey).has(title)) return
      const property = fc.asyncProperty(arbitrary, async (history) => law(await runFaultHistory(history)))
      await checkProperty(title, property, options)
      if (!isReplayed) throw new Error("the law was broken, and was not when its history was run again")
    }
  }
}

const surveyOf = async (
  arbitrary: fc.Arbitrary<FaultHistory>,
  laws: Readonly<Record<string, FaultLaw>>,
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
  history: FaultHistory,
  laws: Readonly<Record<string, FaultLaw>>
): Promise<ReadonlyArray<string>> => {
  try {
    const run = await runFaultHistory(history)
    return Object.keys(laws).filter((title) => !holds(() => laws[title]?.(run)))
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
