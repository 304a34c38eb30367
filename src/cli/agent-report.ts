import type { ResolvedBinary } from "../harness/sandbox/resolve-binary.ts"
import type { AcpOutcome, AgentResult, HeadlessOutcome } from "./agent-result.ts"
import type { AgentTell } from "./agent-tell.ts"

/**
 * What becomes known of a run while it goes on, for its result.
 *
 * @since 0.1.0
 * @category services
 */
export interface AgentReport {
  started(binary: Pick<ResolvedBinary, "path" | "because"> | null): void
  outcome(outcome: HeadlessOutcome | AcpOutcome): void
  /** Something was wrong: it is told, and the run has not worked. */
  problem(sentence: string, details?: ReadonlyArray<string>): void
  known(): Pick<AgentResult, "binary" | "outcome" | "problems">
}

/** @since 0.1.0 @category constructors */
export const makeAgentReport = (tell: Pick<AgentTell, "problem">): AgentReport => {
  const problems: Array<string> = []
  let binary: AgentResult["binary"] = null
  let outcome: AgentResult["outcome"] = null
  return {
    started(found) {
      binary = found === null ? null : { path: found.path, because: found.because }
    },
    outcome(given) {
      outcome = given
    },
    problem(sentence, details) {
      problems.push(sentence)
      tell.problem(sentence, details)
    },
    known: () => ({ binary, outcome, problems: [...problems] })
  }
}
