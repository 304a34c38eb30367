import { performance } from "node:perf_hooks"
import { Effect } from "effect"
import { exploreWorld } from "../../src/campaign/explore-world.ts"
import type { CorpusBug, CorpusCase } from "./corpus-bug.ts"

/** A bug has to show within so many runs. */
export const schedulesMax = 200

/** What a search came to. */
export interface Searched {
  readonly found: {
    /** Runs until it showed. */
    readonly schedules: number
    readonly nonCalm: number
    readonly message: string
    readonly token: string
  } | null
  readonly runs: number
  /** Real time, shrinking included. */
  readonly realMs: number
}

/** Searches the world of a bug by what `explore` does by default. */
export const searchCase = async (
  { options }: CorpusBug,
  { program, judge }: CorpusCase,
  { seed, runs = schedulesMax }: { readonly seed: number; readonly runs?: number }
): Promise<Searched> => {
  const began = performance.now()
  const { failure, stats } = await exploreWorld(
    program,
    { ...options, ...(judge === undefined ? {} : { judge }), runs, seed },
    Effect.runSync
  )
  const realMs = performance.now() - began
  if (failure === null) return { found: null, runs: stats.runs, realMs }
  const { index, shrunk, message, token } = failure
  const found = { schedules: index + 1, nonCalm: shrunk?.nonCalm ?? Number.NaN, message, token }
  return { found, runs: stats.runs, realMs }
}
