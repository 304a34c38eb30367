import type { TraceHeader } from "./run-trace.ts"

/** Under what a run is made again. */
export type Surroundings = Pick<TraceHeader, "engine" | "node" | "machines" | "lock">

const named: ReadonlyArray<{ readonly of: keyof Surroundings; readonly what: string }> = [
  { of: "engine", what: "llm-understudy" },
  { of: "node", what: "Node" },
  { of: "machines", what: "the definitions of the charts" },
  { of: "lock", what: "the lock file" }
]

/**
 * Why a run may go another way here than where its trace was written, a sentence each; empty when nothing is known against
 * it. What one of the two does not say (an empty text) is no difference.
 *
 * **Source** simulation.md, section 5.6
 *
 * @since 0.1.0
 * @category replaying
 */
export const traceDifferences = (then: Surroundings, now: Surroundings): ReadonlyArray<string> =>
  named
    .filter(({ of }) => then[of] !== "" && now[of] !== "" && then[of] !== now[of])
    .map(({ of, what }) => `${what} differs: the run was made with ${then[of]}, and this is ${now[of]}`)
