import { differenceText, replayDifference } from "../explore/draw-check.ts"
import { decodeToken } from "../explore/replay-token.ts"
import type { RunReport } from "../explore/strategy.ts"

/** Failures that were kept, and are tried before anything else. */
export interface KeptRuns {
  readonly tokens: ReadonlyArray<string>
  see(report: RunReport): void
  /** Those that are other runs by now, a text for each. */
  outdated(): ReadonlyArray<string>
}

/**
 * Watches the first runs of a campaign. One that passes shows that its failure is mended only if it made the choices of its
 * token.
 *
 * @since 0.1.0
 * @category running
 */
export const watchKept = (tokens: ReadonlyArray<string>): KeptRuns => {
  const others: Array<string> = []
  return {
    tokens,
    see({ index, outcome, draws }) {
      const token = tokens[index]
      if (token === undefined || outcome.type === "failed") return
      const difference = replayDifference(decodeToken(token), draws)
      if (difference !== null) others.push(`${token} (${differenceText(difference)})`)
    },
    outdated: () => others
  }
}

/** What is said of kept failures that are other runs by now; `null` when there are none. */
export const outdatedText = (
  outdated: ReadonlyArray<string>,
  { kept, path }: { readonly kept: number; readonly path: string | false }
): string | null => {
  if (outdated.length === 0) return null
  const where = path === false ? "" : `; they are in ${path}`
  return `${outdated.length} of ${kept} kept failures no longer apply, and show nothing: ${outdated.join(", ")}${where}`
}
